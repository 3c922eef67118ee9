# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every source file opens by naming its licence."""
import common

TAG = 'SPDX-License-Identifier: LGPL-2.1-or-later'
SUFFIXES = ('.c', '.h', '.comp', '.glsl', '.py', '.sh')


def check(root):
    complaints = []
    for path in common.project_files(root):
        lines = common.read(root, path).split('\n')[:2]
        script = lines[0].startswith('#!')
        if not script and not path.endswith(SUFFIXES):
            continue
        if TAG not in lines[1 if script and len(lines) > 1 else 0]:
            complaints.append(f'{path}: does not open with {TAG}')
    return complaints


if __name__ == '__main__':
    common.main(check)
