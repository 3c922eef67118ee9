# SPDX-License-Identifier: LGPL-2.1-or-later
"""The manual pages have the options that the tools' --help has, and no others.

Arguments: the source folder, then each installed tool. Every tool has a page, its own or one that sources another's."""
import os
import re
import subprocess
import sys

# in every tool; GLib and GStreamer print more of them than a page has to repeat
OPTION = re.compile(r'^ {2}(?:-(\w), )?--([a-z][a-z-]*)', re.M)


def page_of(root, name):
    path = os.path.join(root, 'man', f'{name}.1')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    other = re.fullmatch(r'\.so man1/(\S+)\.1\n', text)
    return (other.group(1), page_of(root, other.group(1))[1]) if other else (name, text)


def options_of_page(text):
    """The options that have a paragraph of their own: the line behind .TP."""
    heads = [re.sub(r'\\f.', '', line).replace('\\-', '-') for line in re.findall(r'^\.TP\n(.*)$', text, re.M)]
    return {option for head in heads for option in re.findall(r'(?<![\w-])--?[a-z][a-z-]*', head)}


def options_of_tool(tool):
    told = subprocess.run([tool, '--help'], check=True, capture_output=True, text=True).stdout
    return {option for short, long in OPTION.findall(told)
            for option in (f'--{long}', f'-{short}') if option != '-'}


def main(root, *tools):
    wrong, texts, options = [], {}, {}
    for tool in tools:
        try:
            page, text = page_of(root, os.path.basename(tool))
        except FileNotFoundError as error:
            wrong.append(f'{tool} has no manual page: {error.filename}')
            continue
        texts[page] = text
        options.setdefault(page, set()).update(options_of_tool(tool))
    for page, text in texts.items():
        in_page = options_of_page(text)
        wrong += [f'man/{page}.1 lacks {option}' for option in sorted(options[page] - in_page)]
        wrong += [f'man/{page}.1 has {option}, which --help lacks' for option in sorted(in_page - options[page])]
    print('\n'.join(wrong) or f'{len(tools)} tools, {sum(map(len, options.values()))} options')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main(*sys.argv[1:])
