# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls and words that this project does without, each for a reason that cost somebody a day."""
import re

import common

# (where, what, why); comments do not count in C and GLSL
RULES = (
    (('gst/',), r'\bglUniform\w*\s*\(',
     'uniforms live in the shared program and race between contexts: use the parameter block'),
    (('gst/',), r'\beglTerminate\s*\(', 'it kills the other users of the same display'),
    (('gst/',), r'\bGL_TIME_ELAPSED_EXT\b',
     'Mesa reads 0 for compute work: use pairs of GL_TIMESTAMP_EXT'),
    (('gst/gles/', 'gst/elements/'), r'\b(?:g_print|g_printerr|printf|puts)\s*\(',
     'a library is silent: use the debug categories'),
    (('gst/gles/', 'gst/elements/'), r'\b(?:strcpy|strcat|sprintf|gets)\s*\(',
     'it cannot know the size of its target'),
)
WORDS = (
    (r'\b(?:TO' r'DO|FIX' r'ME|XX' r'X)\b', 'finish it, or write it down in docs/decisions/'),
    (r'(?<![\w.])/(?:work|home|root)/\w', 'a path of one machine'),
)


def check(root):
    complaints = []
    for path in common.project_files(root):
        text = common.read(root, path)
        if '\0' in text:
            continue
        for word, why in WORDS:
            complaints += [f'{path}:{common.line_of(text, m.start())}: "{m.group(0)}": {why}'
                           for m in re.finditer(word, text)]
        if not path.endswith(('.c', '.h', '.comp', '.glsl')):
            continue
        code = common.without_comments(text)
        for where, what, why in RULES:
            if path.startswith(where):
                complaints += [f'{path}:{common.line_of(code, m.start())}: {m.group(0)}: {why}'
                               for m in re.finditer(what, code)]
    return complaints


if __name__ == '__main__':
    common.main(check)
