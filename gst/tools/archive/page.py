# SPDX-License-Identifier: LGPL-2.1-or-later
"""index.html: the collection as a page that opens from a disk. Its data are scripts in index/: one with a row for each
file, and one for each file with its pictures, which is loaded when the file is shown."""
import collections
import json
import os
import shutil
import urllib.parse

from . import summary
from .folder import replacing
from .names import shown

HERE = os.path.dirname(os.path.abspath(__file__))


def _counts(events, key, names):
    """Pairs of a name's number and how many there are, in one list."""
    counts = collections.Counter(event.get(key) or event.get('more', {}).get(key) for event in events)
    return [number for name, count in sorted(counts.items())
            for number in (names.setdefault(name, len(names)), count)]


def _script(path, function, value):
    # the end of a script element cannot stand in a script file's text by chance: it is no HTML
    with replacing(path, 'w') as file:
        file.write(f'{function}({json.dumps(value, separators=(",", ":"))});\n')


def _has_script(path, mark):
    try:
        with open(path, encoding='utf-8') as file:
            return mark in file.read(120)
    except OSError:
        return False


def write(folder, plan, outcomes):
    """Writes the page and its scripts; those of files that have not changed stay."""
    os.makedirs(folder.at('index'), exist_ok=True)
    rows, kinds, problems, scripts = [], {}, {}, {'files.js'}
    for outcome in outcomes:
        facts = (summary.load(outcome.summary) if outcome.summary else None) or {}
        script = ''
        if facts:
            # the same summary makes the same script
            script = os.path.basename(outcome.summary).split('.')[0][:16]
            scripts.add(script + '.js')
            path = folder.at('index', script + '.js')
            if not _has_script(path, script):
                _script(path, 'show', [script, facts['spark'], facts['strip'],
                                       [[event['event'], event['start']] for event in facts['events'][:40]]])
        link = urllib.parse.quote(os.fsencode(outcome.page)) if outcome.page else ''
        rows.append([shown(outcome.name), outcome.state, shown(outcome.error), link, script,
                     None if not facts else round(facts['duration'], 3), facts.get('luma') and round(facts['luma'], 1),
                     _counts(facts.get('events', ()), 'event', kinds),
                     _counts(facts.get('problems', ()), 'problem', problems)])
    _script(folder.at('index', 'files.js'), 'files',
            {'root': shown(plan.root), 'report': plan.report, 'kinds': list(kinds), 'problems': list(problems), 'rows': rows})
    for name in set(os.listdir(folder.at('index'))) - scripts:
        os.unlink(folder.at('index', name))
    with replacing(folder.index) as file, open(os.path.join(HERE, 'index.html'), 'rb') as template:
        shutil.copyfileobj(template, file)
