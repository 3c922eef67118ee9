# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rules of docs/elements/gleszones.md once more, written from that page alone: which events tracks make, in exact
arithmetic. Points are moved as the page says by amounts that are small beside SCALE, not infinitely small, because all
other coordinates are multiples of it."""
import collections

SCALE = 1 << 128  # of a 256th of a pixel: products of differences of coordinates stay below its square root
RIGHT, DOWN = 1 << 64, 1

Track = collections.namedtuple('Track', 'id label state box')
# units of coordinates: 'share' in millionths, 'pixel' in millionths of one
Definition = collections.namedtuple('Definition', 'name is_line vertices types min_time dwell crowd')
Rules = collections.namedtuple('Rules', 'anchor types min_time dwell crowd hysteresis empty_time track_lost')
FIELDS = ('event phase name frame pts start duration cause track label direction members n_in n_out score box')
Event = collections.namedtuple('Event', FIELDS)


def place(coordinate, side):
    value, unit = coordinate
    return (value * (side if unit == 'share' else 1) * 256 * 2 + 1000000) // 2000000


def moved(point):
    return point[0] * SCALE + RIGHT, point[1] * SCALE + DOWN


def turn(a, b, c):
    """Above 0 if c is on the right of the line from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


class Shape:
    def __init__(self, definition, width, height):
        self.vertices = [(place(x, width), place(y, height)) for x, y in definition.vertices]
        ends = self.vertices[1:] + ([] if definition.is_line else self.vertices[:1])
        self.edges = list(zip(self.vertices, ends))
        self.scaled = [tuple((x * SCALE, y * SCALE) for x, y in edge) for edge in self.edges]

    def contains(self, point):
        """Counts the edges that the ray from the point to the left crosses."""
        x, y = moved(point)
        n = 0
        for a, b in self.scaled:
            if (a[1] < y) != (b[1] < y):
                # the edge is at a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y)
                height = b[1] - a[1]
                left = (a[0] - x) * abs(height) + (y - a[1]) * (b[0] - a[0]) * (1 if height > 0 else -1)
                n += left < 0
        return n % 2 == 1

    def crossings(self, before, after):
        p, q = moved(before), moved(after)
        total = 0
        if p == q:
            return 0
        for a, b in self.scaled:
            if a == b or (turn(a, b, p) > 0) == (turn(a, b, q) > 0) or (turn(p, q, a) > 0) == (turn(p, q, b) > 0):
                continue
            total += 1 if turn(a, b, q) > 0 else -1
        return total

    def near(self, point, margin):
        """Clips each edge to the square (Liang and Barsky), with shares as pairs of integers."""
        return any(self._touches(a, b, point, margin) for a, b in self.edges)

    @staticmethod
    def _touches(a, b, point, margin):
        low, high = (0, 1), (1, 1)
        for axis in (0, 1):
            delta = b[axis] - a[axis]
            least, most = point[axis] - margin - a[axis], point[axis] + margin - a[axis]
            if delta == 0:
                if least > 0 or most < 0:
                    return False
                continue
            if delta < 0:
                delta, least, most = -delta, -most, -least
            if least * low[1] > low[0] * delta:
                low = (least, delta)
            if most * high[1] < high[0] * delta:
                high = (most, delta)
        return low[0] * high[1] <= high[0] * low[1]


class Visit:
    """A thing in a zone, or at a line."""
    start = None  # (frame, pts, time)
    member = dwelled = False
    total = 0


class Thing:
    def __init__(self, track):
        self.id, self.label = track.id, track.label
        self.confirmed, self.anchor, self.seen, self.box = False, None, None, None
        self.visits = collections.defaultdict(Visit)


class Zone:
    def __init__(self, definition):
        self.definition, self.shape = definition, None
        self.n_in = self.n_out = 0
        self.forget()

    def forget(self):
        self.members, self.known, self.occupied, self.without, self.crowd = 0, False, None, None, None


class Evaluator:
    def __init__(self, definitions, rules):
        self.zones = [Zone(d) for d in definitions if not d.is_line] + [Zone(d) for d in definitions if d.is_line]
        self.rules, self.things, self.events = rules, {}, []
        self.size, self.at = None, (0, 0, 0)
        self.time = self.n_before = 0  # n_before: how many events were told before the last frame, not with it

    # ---- telling ----

    def tell(self, zone, event, phase, at, start=None, duration=None, cause=None, thing=None, direction=None):
        is_line = zone.definition.is_line
        score = (zone.n_in if direction == 'in' else zone.n_out) if is_line else zone.members
        self.events.append(Event(
            event, phase, zone.definition.name, at[0], at[1], start and start[1], duration, cause, thing and thing.id,
            thing and thing.label, direction, None if is_line else zone.members, zone.n_in, zone.n_out, score,
            thing and thing.box))

    def leave(self, zone, thing, visit, cause):
        if visit.member:
            zone.n_out += 1
            zone.members -= 1
            self.tell(zone, 'leave', 'end', thing.seen, visit.start, thing.seen[2] - visit.start[2], cause, thing)
        visit.start, visit.member, visit.dwelled = None, False, False

    def cross(self, zone, thing, visit):
        if visit.total != 0 and thing.confirmed:
            direction = 'in' if visit.total > 0 else 'out'
            visit.total = 0
            zone.n_in += direction == 'in'
            zone.n_out += direction == 'out'
            self.tell(zone, 'cross', 'instant', thing.seen, thing=thing, direction=direction)

    # ---- things ----

    def wants(self, zone, label):
        types = zone.definition.types if zone.definition.types is not None else self.rules.types
        return not types or label in types

    def anchor(self, box):
        x, y, width, height = box
        return 128 * (2 * x + width), 256 * (y + height) if self.rules.anchor == 'bottom' else 128 * (2 * y + height)

    def see(self, thing, track):
        before, thing.anchor = thing.anchor, self.anchor(track.box)
        thing.seen, thing.box = self.at, track.box
        thing.confirmed = thing.confirmed or track.state == 'confirmed'
        margin = self.rules.hysteresis * (track.box[2] + track.box[3]) * 256 // 2000
        for zone in self.zones:
            if not self.wants(zone, thing.label):
                continue
            visit = thing.visits[zone]
            if zone.definition.is_line:
                if before is not None:
                    visit.total += zone.shape.crossings(before, thing.anchor)
                if not zone.shape.near(thing.anchor, margin):
                    self.cross(zone, thing, visit)
            else:
                self.see_in_zone(zone, thing, visit, margin)

    def see_in_zone(self, zone, thing, visit, margin):
        definition = zone.definition
        min_time = definition.min_time if definition.min_time is not None else self.rules.min_time
        dwell = definition.dwell if definition.dwell is not None else self.rules.dwell
        inside = zone.shape.contains(thing.anchor)
        if inside and visit.start is None:
            visit.start = self.at
        if not inside and visit.start is not None and not zone.shape.near(thing.anchor, margin):
            self.leave(zone, thing, visit, 'condition')
        if visit.start is None:
            return
        lasted = self.time - visit.start[2]
        if not visit.member and thing.confirmed and lasted >= min_time:
            visit.member = True
            zone.n_in += 1
            zone.members += 1
            self.tell(zone, 'enter', 'start', visit.start, thing=thing)
        if visit.member and not visit.dwelled and dwell != 0 and lasted >= dwell:
            visit.dwelled = True
            self.tell(zone, 'dwell', 'update', self.at, visit.start, lasted, thing=thing)

    def end_thing(self, thing, cause):
        for zone in self.zones:
            if zone.definition.is_line:
                self.cross(zone, thing, thing.visits[zone])
            else:
                self.leave(zone, thing, thing.visits[zone], cause)

    # ---- frames ----

    def begin(self, frame, pts, size):
        if self.size is not None and size != self.size:
            self.end('caps')
        self.n_before = len(self.events)
        self.time = max(self.time, pts)
        self.at = (frame, pts, self.time)
        if size != self.size:
            self.size = size
            for zone in self.zones:
                zone.shape = Shape(zone.definition, *size)

    def push(self, frame, pts, size, tracks):
        self.begin(frame, pts, size)
        listed = {track.id: track for track in tracks}
        for number in sorted(set(listed) | set(self.things)):
            track = listed.get(number)
            if track is None:
                if self.time - self.things[number].listed >= self.rules.track_lost:
                    self.end_thing(self.things.pop(number), 'lost')
                continue
            thing = self.things.setdefault(number, Thing(track))
            thing.listed = self.time
            if track.state in ('new', 'confirmed'):
                self.see(thing, track)
        self.follow()

    def push_boxes(self, frame, pts, size, boxes):
        self.begin(frame, pts, size)
        for zone in self.zones:
            if not zone.definition.is_line:
                zone.members = sum(self.wants(zone, label) and zone.shape.contains(self.anchor(box))
                                   for label, box in boxes)
        self.follow()

    def follow(self):
        for zone in self.zones:
            if zone.definition.is_line:
                continue
            crowd = zone.definition.crowd if zone.definition.crowd is not None else self.rules.crowd
            if zone.members > 0:
                zone.without = None
                if zone.occupied is None:
                    zone.occupied = self.at
                    self.tell(zone, 'occupied', 'start', self.at)
            elif not zone.known:
                self.tell(zone, 'empty', 'instant', self.at)
            elif zone.occupied is not None:
                zone.without = zone.without or self.at
                if self.time - zone.without[2] >= self.rules.empty_time:
                    self.end_occupation(zone, 'condition')
            zone.known = True
            if crowd != 0 and zone.members > crowd:
                if zone.crowd is None:
                    zone.crowd = self.at
                    self.tell(zone, 'crowd', 'start', self.at)
            elif zone.crowd is not None:
                self.end_crowd(zone, 'condition')

    def end_occupation(self, zone, cause):
        if zone.occupied is not None:
            at = zone.without or self.at
            self.tell(zone, 'empty', 'end', at, zone.occupied, at[2] - zone.occupied[2], cause)
        zone.occupied = zone.without = None

    def end_crowd(self, zone, cause):
        if zone.crowd is not None:
            self.tell(zone, 'crowd', 'end', self.at, zone.crowd, self.time - zone.crowd[2], cause)
        zone.crowd = None

    def end(self, cause):
        for number in sorted(self.things):
            self.end_thing(self.things[number], cause)
        for zone in self.zones:
            zone.members = 0
            self.end_occupation(zone, cause)
            self.end_crowd(zone, cause)
            zone.forget()
        self.things, self.time = {}, 0

    def take_events(self):
        events, self.events = self.events, []
        return events

    def summary(self):
        """Of each zone: name, things that entered, that left, whether it is occupied, and its members."""
        return [(zone.definition.name, zone.n_in, zone.n_out, zone.occupied is not None, [
            (thing.id, thing.label, self.time - thing.visits[zone].start[2])
            for _, thing in sorted(self.things.items()) if thing.visits[zone].member]) for zone in self.zones]
