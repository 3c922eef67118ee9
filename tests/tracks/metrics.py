# SPDX-License-Identifier: LGPL-2.1-or-later
"""Metrics of trackers that follow many things.

MOTA and switches: K. Bernardin and R. Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT
Metrics", 2008. IDF1: E. Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking",
2016. Truth and tracks are a list of frames, each {id: (x, y, width, height)}."""
import collections

MIN_IOU = 0.5  # of boxes that show the same thing

Score = collections.namedtuple('Score', 'idf1 mota switches n_truth n_missed n_false')


def iou(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    return common / (a[2] * a[3] + b[2] * b[3] - common)


def assign(costs):
    """The column of each row, None without one, so that the sum of costs is the least. There are as many pairs as the
    shorter side has."""
    n_rows, n_columns = len(costs), len(costs[0]) if costs else 0
    if n_rows > n_columns:
        found = assign([list(column) for column in zip(*costs)]) if n_columns else []
        columns = [None] * n_rows
        for column, row in enumerate(found):
            columns[row] = column
        return columns
    row_of, potential_of_row, potential = [None] * n_columns, [0] * n_rows, [0] * n_columns
    for first in range(n_rows):
        distance, before, done = [float('inf')] * n_columns, [None] * n_columns, [False] * n_columns
        row, column = first, None
        while row is not None:
            rows = [(first, None)] + [(row_of[c], c) for c in range(n_columns) if done[c]]
            for c in range(n_columns):
                reduced = costs[row][c] - potential_of_row[row] - potential[c]
                if not done[c] and reduced < distance[c]:
                    distance[c], before[c] = reduced, column
            nearest = min((c for c in range(n_columns) if not done[c]), key=distance.__getitem__)
            step = distance[nearest]
            for r, c in rows:
                potential_of_row[r] += step
                if c is not None:
                    potential[c] -= step
            for c in range(n_columns):
                if not done[c]:
                    distance[c] -= step
            done[nearest], column, row = True, nearest, row_of[nearest]
        while column is not None:
            row_of[column] = row_of[before[column]] if before[column] is not None else first
            column = before[column]
    columns = [None] * n_rows
    for column, row in enumerate(row_of):
        if row is not None:
            columns[row] = column
    return columns


def match(truth, tracks, kept):
    """The pairs of a frame: those of `kept` that still overlap, and the best of the others."""
    pairs = {t: k for t, k in kept.items() if t in truth and k in tracks and iou(truth[t], tracks[k]) >= MIN_IOU}
    rows = [t for t in truth if t not in pairs]
    columns = [k for k in tracks if k not in pairs.values()]
    # a pair that is none costs more than all that are
    costs = [[1 - iou(truth[t], tracks[k]) if iou(truth[t], tracks[k]) >= MIN_IOU else 1000 for k in columns]
             for t in rows]
    for row, column in enumerate(assign(costs) if columns else []):
        if column is not None and costs[row][column] < 1000:
            pairs[rows[row]] = columns[column]
    return pairs


def evaluate(truth, tracks):
    assert len(truth) == len(tracks), f'{len(truth)} frames of truth, {len(tracks)} of tracks'
    n_truth, n_tracks = sum(map(len, truth)), sum(map(len, tracks))
    n_matched = switches = 0
    last, together = {}, collections.Counter()
    for frame, found in zip(truth, tracks):
        pairs = match(frame, found, last)
        switches += sum(1 for t, k in pairs.items() if last.get(t, k) != k)
        last.update(pairs)
        n_matched += len(pairs)
        together.update((t, k) for t in frame for k in found if iou(frame[t], found[k]) >= MIN_IOU)
    ids = sorted({t for t, _ in together}), sorted({k for _, k in together})
    costs = [[-together[t, k] for k in ids[1]] for t in ids[0]]
    n_identified = -sum(costs[row][column] for row, column in enumerate(assign(costs)) if column is not None)
    n_missed, n_false = n_truth - n_matched, n_tracks - n_matched
    return Score(2 * n_identified / max(n_truth + n_tracks, 1), 1 - (n_missed + n_false + switches) / max(n_truth, 1),
                 switches, n_truth, n_missed, n_false)


def check():
    """Known answers."""
    import itertools
    import random
    rand = random.Random(1)
    for n in range(200):
        costs = [[rand.randrange(9) for _ in range(1 + n % 5)] for _ in range(1 + n // 5 % 5)]
        found = [(row, column) for row, column in enumerate(assign(costs)) if column is not None]
        short, long = sorted((len(costs), len(costs[0])))
        flip = len(costs) > len(costs[0])
        least = min(sum(costs[j][i] if flip else costs[i][j] for i, j in enumerate(order))
                    for order in itertools.permutations(range(long), short))
        assert len(found) == short == len({column for _, column in found})
        assert sum(costs[row][column] for row, column in found) == least, costs
    box, far = (0, 0, 10, 10), (50, 50, 10, 10)
    still = [{1: box}] * 4
    assert evaluate(still, [{7: box}] * 4) == Score(1, 1, 0, 4, 0, 0)
    # another id in the last frame; a frame without it; a box somewhere else
    assert evaluate(still, [{7: box}] * 3 + [{8: box}]) == Score(0.75, 0.75, 1, 4, 0, 0)
    assert evaluate(still, [{7: box}] * 3 + [{}]) == Score(6 / 7, 0.75, 0, 4, 1, 0)
    assert evaluate(still, [{7: box}] * 3 + [{7: far}]) == Score(0.75, 0.5, 0, 4, 1, 1)
    # two things that exchange their ids
    both = [{1: box, 2: far}] * 4
    assert evaluate(both, [{7: box, 8: far}] * 2 + [{7: far, 8: box}] * 2) == Score(0.5, 0.75, 2, 8, 0, 0)


if __name__ == '__main__':
    check()
