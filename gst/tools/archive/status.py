# SPDX-License-Identifier: LGPL-2.1-or-later
"""How far a run is, and what is left."""
import collections
import os

from .folder import UNIT
from .names import shown


def weight(unit):
    """Seconds of video; of a file whose duration is unknown those of 1 Mbit/s."""
    return (unit.duration or unit.size * 8000) / 1e9 if unit.kind != 'sound' else 0


class Status:
    """Counts the units of a plan by what the folder has of them."""

    def __init__(self, folder, plan):
        self.done, self.failed, self.left = [], [], []
        with os.scandir(folder.at('units')) as entries:
            # those of older formats have other endings: they are of other plans, too
            here = {entry.name.removesuffix(UNIT) for entry in entries
                    if not entry.name.startswith('.') and not entry.name.endswith('.damaged') and entry.stat().st_size}
        tried = set(os.listdir(folder.at('failed')))
        for unit in plan.units:
            if unit.id in here:
                self.done.append(unit)
            elif unit.id in tried and folder.has_failed(unit.id):
                self.failed.append(unit)
            else:
                self.left.append(unit)
        known = {unit.id for unit in plan.units} | {plan.whole(unit).id for unit in plan.units if unit.kind != 'whole'}
        self.foreign = sorted(here - known)
        self.damaged = sorted(name for name in os.listdir(folder.at('units')) if name.endswith('.damaged'))
        self.seconds = {name: sum(map(weight, getattr(self, name))) for name in ('done', 'failed', 'left')}

    def lines(self, folder):
        """Text for people."""
        for name in ('done', 'failed', 'left'):
            yield f'{name}: {len(getattr(self, name))} units, {self.seconds[name] / 3600:.2f} h of video'
        places = folder.places()
        done = collections.Counter(places[unit.id] for unit in self.done if unit.id in places)
        for (host, device), n in sorted(done.items()):
            yield shown(f'done on {host}: {n} units, {device}')
        for unit in self.left:
            if unit.id in places and folder.is_claimed(unit.id):
                host, device = places[unit.id]
                yield shown(f'at work on {host}: {unit.file}, {device}')
        for unit in self.failed:
            yield shown(f'failed: {unit.file}: {folder.failures(unit.id)[-1]["error"]}')
        if self.foreign:
            yield f'{len(self.foreign)} files in units/ are of other plans; they are not used'
        if self.damaged:
            yield f'{len(self.damaged)} files in units/ were damaged and are set aside as *.damaged'
