# SPDX-License-Identifier: LGPL-2.1-or-later
"""What licensecheck reads in each file is what debian/copyright says of it. Argument: the source folder."""
import fnmatch
import pathlib
import re
import subprocess
import sys

# texts of licences, which name all of them
LISTS = ('debian/copyright', 'LICENSE', 'LICENSES/')


def paragraphs(text):
    """Patterns and the licence of each paragraph of files; the last one that matches a file counts."""
    for paragraph in text.split('\n\n'):
        files = re.search(r'^Files:((?:.*\n)(?: .*\n)*)', paragraph, re.M)
        if files:
            yield files.group(1).split(), re.search(r'^License: (.*)', paragraph, re.M).group(1)


def main(root):
    rules = list(paragraphs((pathlib.Path(root) / 'debian' / 'copyright').read_text(encoding='utf-8')))
    # some versions read "LGPL-2.1-or-later" as LGPL-2.1, so a beginning is enough
    said = subprocess.run(['licensecheck', '--machine', '--shortname-scheme', 'spdx', '--recursive', '.'], cwd=root, check=True,
                          capture_output=True, text=True).stdout
    wrong, known = [], 0
    for line in said.splitlines():
        path, found = line.split('\t')[:2]
        path = path.removeprefix('./')
        if found == 'UNKNOWN' or path.startswith(LISTS):
            continue
        known += 1
        declared = [licence for patterns, licence in rules if any(fnmatch.fnmatchcase(path, each) for each in patterns)][-1]
        if not declared.startswith(found):
            wrong.append(f'{path}: {found}, but debian/copyright says {declared}')
    assert known > 500, f'licensecheck knows the licence of {known} files only'
    print('\n'.join(wrong) or f'licensecheck: {known} files have the licence that debian/copyright says')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
