#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Flashes of glesevents beside the tables that IRIS expects of its test clips: prints its section of docs/accuracy.md.

GLES_PUBLIC_DATA names a folder with iris (NAME.mp4 and NAME.csv for each of CLIPS); exit status 77 without it.
"""
import csv
import json
import os
import subprocess
import sys

CHOSEN = ('2Hz_5s', 'extendedFLONG')  # clips that the rules were written for
KEPT = ('3Hz_6s', 'flashStripes', 'gray')
DEVICES = ('cpu', 'software')
# members of lines: columns of the tables of IRIS
COUNTS = {'transitions': 'LuminanceTransitions', 'red_transitions': 'RedTransitions',
          'extended_frames': 'LuminanceExtendedFailCount', 'red_extended_frames': 'RedExtendedFailCount'}
SHARES = {'area': 'FlashAreaLuminance', 'red_area': 'FlashAreaRed', 'luminance': 'AverageLuminance'}
VERDICTS = {'verdict': 'FlashLuminanceFailedFrame', 'red_verdict': 'FlashRedFailedFrame'}
NUMBERS = ('pass', 'warning', 'extended', 'fail')


def frames_of(path, device):
    lines = subprocess.run(
        ['gst-launch-1.0', '-q', 'filesrc', f'location={path}', '!', 'decodebin', '!', 'gleshistogram',
         f'device={device}', 'channels=luma', 'flash=true', '!', 'glesevents', 'events=flash', '!', 'glesjson',
         'counts=false', 'events=false', '!', 'fdsink'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line)['flash'] for line in lines.splitlines()]


def differences(frames, rows):
    """How many frames differ from the table in what, and what the table has."""
    compared, wrong = {}, {}

    def compare(name, equal):
        compared[name] = compared.get(name, 0) + 1
        wrong[name] = wrong.get(name, 0) + (not equal)

    assert len(frames) == len(rows), (len(frames), len(rows))
    for frame, row in zip(frames, rows):
        for member, column in COUNTS.items():
            if column in row:
                compare(member, frame[member] == int(row[column]))
        for member, column in SHARES.items():
            # tables have shares to six digits, or rounded to 0 and 1 by a table calculator
            if column in row:
                digits = len(row[column].partition('.')[2])
                compare(member, abs(frame[member] - float(row[column])) <= 0.5 * 10 ** -digits + 1e-5)
        for member, column in VERDICTS.items():
            if column in row:
                compare(member, NUMBERS.index(frame[member]) == int(row[column]))
        if 'FlashFailedFrames' in row:  # an older table, without extended failures: 2 is a failure
            worst = max(NUMBERS.index(frame[member]) for member in VERDICTS)
            compare('verdict', (worst == 3) == (row['FlashFailedFrames'] == '2'))
    return compared, wrong


def main():
    folder = os.path.join(os.environ.get('GLES_PUBLIC_DATA', ''), 'iris')
    if not os.path.exists(os.path.join(folder, f'{CHOSEN[0]}.csv')):
        print('set GLES_PUBLIC_DATA to a folder that has iris/2Hz_5s.csv', file=sys.stderr)
        return 77
    print('| clip | frames | device | compared | frames that differ |\n|---|---|---|---|---|')
    for name in sys.argv[1:] or CHOSEN + KEPT:
        with open(os.path.join(folder, f'{name}.csv'), encoding='utf-8-sig') as table:
            rows = list(csv.DictReader(table))
        found = [frames_of(os.path.join(folder, f'{name}.mp4'), device) for device in DEVICES]
        assert found[0] == found[1], f'{name}: devices differ'
        compared, wrong = differences(found[0], rows)
        which = ', '.join(f'{what} {n}' for what, n in wrong.items() if n > 0) or '0'
        print(f'| {name}{"" if name in CHOSEN else " (kept aside)"} | {len(rows)} | {", ".join(DEVICES)} | '
              f'{", ".join(f"`{what}`" for what in compared)} | {which} |')
    return 0


if __name__ == '__main__':
    sys.exit(main())
