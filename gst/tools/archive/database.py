# SPDX-License-Identifier: LGPL-2.1-or-later
"""collection.sqlite: all files of the archive, for questions across them. docs/archive.md describes the tables."""
import contextlib
import json
import os
import sqlite3

from . import summary
from .folder import Stop, host, sync_folder
from .names import shown, stored

SCHEMA = f'''
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  state TEXT NOT NULL, error TEXT, frames INTEGER, duration REAL, luma REAL, page TEXT);
CREATE TABLE streams (file INTEGER NOT NULL REFERENCES files, stream_id TEXT, width INTEGER, height INTEGER, format TEXT,
  stored_format TEXT, range TEXT, matrix TEXT, frames INTEGER NOT NULL, first_pts INTEGER, last_pts INTEGER);
CREATE TABLE events (file INTEGER NOT NULL REFERENCES files, event TEXT NOT NULL, start REAL, "end" REAL, frame INTEGER,
  end_frame INTEGER, score REAL, transition TEXT, cause TEXT, stream TEXT, id TEXT, more TEXT);
CREATE TABLE problems (file INTEGER NOT NULL REFERENCES files, problem TEXT NOT NULL, stream TEXT, start REAL, "end" REAL,
  frame INTEGER, count INTEGER, text TEXT, id TEXT);
CREATE TABLE seconds (file INTEGER NOT NULL REFERENCES files, second INTEGER NOT NULL, frames INTEGER NOT NULL,
  {", ".join(f'{name} {"REAL" if name in ("mean", "mad", "motion") else "INTEGER"}' for name in summary.NAMES[2:])},
  PRIMARY KEY (file, second)) WITHOUT ROWID;
CREATE TABLE left_out (path TEXT PRIMARY KEY, name TEXT NOT NULL, reason TEXT NOT NULL);
'''
INDICES = '''
CREATE INDEX streams_file ON streams (file);
CREATE INDEX events_file ON events (file, start);
CREATE INDEX events_event ON events (event, file, start);
CREATE INDEX problems_file ON problems (file, start);
CREATE INDEX problems_problem ON problems (problem, file);
'''


def _value(value):
    """What SQLite can store: it has 64 bits for whole numbers, and text is UTF-8."""
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        return float(value)
    return value.encode(errors='backslashreplace').decode() if isinstance(value, str) else value


def _insert(base, table, rows):
    """Rows are lists of values, or dicts that may lack columns."""
    rows = list(rows)
    if not rows:
        return
    if isinstance(rows[0], dict):
        columns = [name for _, name, *_ in base.execute(f'PRAGMA table_info({table})')]
        rows = [[row.get(name) for name in columns] for row in rows]
    base.executemany(f'INSERT INTO {table} VALUES ({",".join("?" * len(rows[0]))})', [list(map(_value, row)) for row in rows])


def _insert_file(base, number, outcome, facts):
    unit, facts = outcome.unit, facts or {}
    _insert(base, 'files', [{
        'id': number, 'path': stored(outcome.name), 'name': shown(outcome.name), 'size': unit.size,
        'mtime_ns': unit.mtime_ns, 'state': outcome.state, 'error': shown(outcome.error), 'frames': facts.get('frames'),
        'duration': facts.get('duration'), 'luma': facts.get('luma'), 'page': outcome.page and stored(outcome.page)}])
    _insert(base, 'streams', [{'file': number, **stream} for stream in facts.get('streams', ())])
    _insert(base, 'events', [{**event, 'file': number, 'more': json.dumps(event['more']) if 'more' in event else None}
                             for event in facts.get('events', ())])
    _insert(base, 'problems', [{**event, **event.get('more', {}), 'file': number}
                               for event in facts.get('problems', ())])
    _insert(base, 'seconds', [[number, *row] for row in facts.get('seconds', ())])


def _add_file(base, number, outcome):
    """What cannot be stored is that file's failure."""
    base.execute('SAVEPOINT file')
    try:
        _insert_file(base, number, outcome, summary.load(outcome.summary) if outcome.summary else None)
    except Exception as error:  # pylint: disable=broad-except
        base.execute('ROLLBACK TO file')
        outcome.fail(f'its results cannot be stored: {error}')
        _insert_file(base, number, outcome, None)
    base.execute('RELEASE file')


def _fill(base, plan, outcomes, left_out):
    # a rollback needs a journal
    base.execute('PRAGMA journal_mode = MEMORY')
    base.executescript(SCHEMA)
    base.execute('BEGIN')
    _insert(base, 'facts', [['report', plan.report], ['root', stored(plan.root)], ['settings', json.dumps(plan.settings)],
                            ['schema', '3']])
    _insert(base, 'left_out', [[stored(line['file']), shown(line['file']), shown(line['reason'])] for line in left_out])
    for number, outcome in enumerate(outcomes, 1):
        _add_file(base, number, outcome)
    base.execute('COMMIT')
    base.executescript(INDICES)
    base.execute('ANALYZE')


def write(folder, plan, outcomes, left_out):
    """Writes the database anew, under another name, and renames it."""
    part = f'{folder.database}.{host()}-{os.getpid()}.part'
    with contextlib.suppress(FileNotFoundError):
        os.unlink(part)
    base = sqlite3.connect(part, isolation_level=None)
    try:
        _fill(base, plan, outcomes, left_out)
        base.close()
        with open(part, 'rb') as file:
            os.fsync(file.fileno())
        os.replace(part, folder.database)
        sync_folder(folder.path)
    except sqlite3.Error as error:
        raise Stop(f'{folder.database} cannot be written: {error}') from error
    finally:
        base.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
