# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rules that a file's text alone can break: each is a function of a path and a text, which yields pairs of a line, or
None, and a complaint."""
import re

import common

VERSIONS = ('0.1',)
# in two parts, because reuse would read it as the licence of this file
TAG = 'SPDX-License-' 'Identifier: LGPL-2.1-or-later'
BARRIER = 'glsl/lib/barrier.glsl'
MAX_COLUMNS = 100
# the rule is "about 60"; tables and option parsing may take a few more
MAX_FUNCTION_LINES = 75

# Calls and words that this project does without, each for a reason that cost somebody a day: where, what, why. Comments
# do not count in calls, which are those of C and GLSL.
CALLS = (
    (('gst/', 'bench/'), r'\bglUniform\w*\s*\(',
     'uniforms live in the shared program and race between contexts: use the parameter block'),
    (('gst/', 'bench/'), r'\beglTerminate\s*\(', 'it kills the other users of the same display'),
    (('gst/', 'bench/'), r'\bGL_TIME_ELAPSED_EXT\b', 'Mesa reads 0 for compute work: use pairs of GL_TIMESTAMP_EXT'),
    (('gst/',), r'\bg_thread_new\s*\(', 'it ends the process where there can be no thread: use g_thread_try_new()'),
    (('gst/gles/', 'gst/elements/'), r'\b(?:g_print|g_printerr|printf|puts)\s*\(',
     'a library is silent: use the debug categories'),
    (('gst/gles/', 'gst/elements/'), r'\b(?:strcpy|strcat|sprintf|gets)\s*\(', 'it cannot know the size of its target'),
)
WORDS = (
    (r'\b(?:TO' r'DO|FIX' r'ME|XX' r'X)\b', 'finish it, or write it down in docs/decisions/'),
    (r'(?<![\w.])/(?:work|home|root)/\w', 'a path of one machine'),
)


def licence(path, text):
    """Every source file opens by naming its licence."""
    lines = text.split('\n')[:2]
    script = lines[0].startswith('#!')
    if (script or path.endswith(('.c', '.h', '.comp', '.glsl', '.py', '.sh'))) and TAG not in lines[
            1 if script and len(lines) > 1 else 0]:
        yield None, f'does not open with {TAG}'


def width(path, text):
    """Of C, C++ and GLSL, comments included: clang-format leaves comments alone, and does not see GLSL."""
    if path.endswith(('.c', '.cpp', '.h', '.comp', '.glsl')):
        for number, line in enumerate(text.split('\n'), 1):
            if len(line) > MAX_COLUMNS:
                yield number, f'{len(line)} columns, more than {MAX_COLUMNS}'


def functions(path, text):
    """Functions stay short enough to be read: what stands between a brace that opens at the margin and its end, in the
    formatting that the format check enforces. The length of files is a matter of review."""
    start = None
    for number, line in enumerate(text.split('\n') if path.endswith('.c') else [], 1):
        if line == '{':
            start = number
        elif line == '}' and start is not None:
            length, start = number - start - 1, None
            if length > MAX_FUNCTION_LINES:
                yield number - length - 1, f'a function of {length} lines, more than {MAX_FUNCTION_LINES}'


def forbidden(path, text):
    for word, why in WORDS if '\0' not in text else ():
        for match in re.finditer(word, text):
            yield common.line_of(text, match.start()), f'"{match.group(0)}": {why}'
    if path.startswith(('gst/', 'bench/')) and path.endswith(('.c', '.h', '.comp', '.glsl')):
        code = common.without_comments(text)
        for where, call, why in CALLS:
            for match in re.finditer(call, code) if path.startswith(where) else ():
                yield common.line_of(code, match.start()), f'{match.group(0)}: {why}'


def kernels(path, text):
    """Every kernel opens with a comment that lists its defines, its bindings and its grid; all wait at the barrier of
    lib/barrier.glsl."""
    if not path.startswith('glsl/') or not path.endswith(('.comp', '.glsl')):
        return
    code = common.without_comments(text)
    if path != BARRIER and re.search(r'\bbarrier\s*\(', code):
        yield None, f'barrier () alone is not enough, see {BARRIER}'
    if path.endswith('.comp'):
        opening = re.match(r'(?:\s|/\*.*?\*/|//[^\n]*)*', text, flags=re.S).group(0).lower()
        for word in ('Defines:', 'Bindings:', 'Grid:'):
            if word.lower() not in opening:
                yield None, f'the opening comment does not say "{word}"'
        if re.search(r'^\s*#\s*version', code, flags=re.M):
            yield None, 'the preamble, #version included, is written by gl/program'


def since(path, text):
    """No header promises more than the versions that there are."""
    if path.startswith('gst/gles/') and path.endswith('.h'):
        for match in re.finditer(r'Since: (\S+)', text):
            if match.group(1) not in VERSIONS:
                yield common.line_of(text, match.start()), f'"{match.group(0)}": the versions are {", ".join(VERSIONS)}'


def check(root, rules=(licence, width, functions, forbidden, kernels, since)):
    texts = ((path, common.read(root, path)) for path in common.project_files(root))
    return [f'{path}{f":{line}" if line else ""}: {why}' for path, text in texts for rule in rules
            for line, why in rule(path, text)]


if __name__ == '__main__':
    common.main(check)
