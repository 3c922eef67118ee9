# SPDX-License-Identifier: LGPL-2.1-or-later
"""No property changes silently: docs/plugins/gst_plugins_cache.json, in the form of GStreamer's documentation, has each
element with its properties (types, ranges, defaults, flags), values of enumerations, signals and pads. What a release
has there, applications and configurations rely on.

Arguments: the source folder; --write makes the file anew, which a commit that changes it explains in CHANGELOG.md."""
import json
import os
import re
import sys

import gi
gi.require_version('Gst', '1.0')
from gi.repository import GObject, Gst

PLUGIN = 'glescompute'
PATH = 'docs/plugins/gst_plugins_cache.json'
# they vary with GStreamer's version (formats of video), or with the build
# properties that are there from GStreamer 1.24 on
OPTIONAL = ('analytics',)
NOT_COMPARED = ('pad-templates', 'package', 'url', 'source')
MUTABLE = ((Gst.PARAM_MUTABLE_PLAYING, 'playing'), (Gst.PARAM_MUTABLE_PAUSED, 'paused'),
           (Gst.PARAM_MUTABLE_READY, 'ready'))
RANKS = {Gst.Rank.NONE: 'none', Gst.Rank.MARGINAL: 'marginal', Gst.Rank.SECONDARY: 'secondary', Gst.Rank.PRIMARY: 'primary'}
CAPS_FIELD = re.compile(r'([\w-]+)=\([\w:]+\)(\[[^]]*\]|\{[^}]*\}|[^,;]+)')


def is_api(gtype):
    found = Gst.type_is_plugin_api(gtype)
    return found[0] if isinstance(found, tuple) else found


def default_text(spec, value):
    """A value as the documentation shows it, or None where it shows none."""
    if value is None:
        return 'NULL' if spec.value_type == GObject.TYPE_STRING else None
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return f'{value.value_nick} ({int(value)})'
    if spec.value_type.is_a(GObject.TYPE_FLAGS):
        return value.value_nicks[-1] if int(value) in type(value).__flags_values__ else '+'.join(value.value_nicks) or '(none)'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f'{value:g}'
    if isinstance(value, (Gst.Structure, Gst.Caps)):
        return value.to_string()
    return number(spec, value) if isinstance(value, int) else str(value)


def number(spec, value):
    """Unsigned numbers of 32 bits are printed as signed ones there."""
    if isinstance(value, float):
        return f'{value:g}'
    return str(value - (1 << 32) if spec.value_type == GObject.TYPE_UINT and value >= 1 << 31 else value)


def property_details(spec, element):
    flags = int(spec.flags)
    reads = flags & GObject.ParamFlags.READABLE and not flags & Gst.PARAM_DOC_SHOW_DEFAULT
    default = default_text(spec, element.get_property(spec.name) if reads else spec.default_value)
    details = {
        'blurb': spec.blurb,
        'conditionally-available': bool(flags & Gst.PARAM_CONDITIONALLY_AVAILABLE),
        'construct': bool(flags & GObject.ParamFlags.CONSTRUCT),
        'construct-only': bool(flags & GObject.ParamFlags.CONSTRUCT_ONLY),
        'controllable': bool(flags & Gst.PARAM_CONTROLLABLE),
        'mutable': next((name for flag, name in MUTABLE if flags & flag), 'null'),
        'readable': bool(flags & GObject.ParamFlags.READABLE),
        'type': spec.value_type.name,
        'writable': bool(flags & GObject.ParamFlags.WRITABLE),
    }
    if default is not None:
        details['default'] = default
    if hasattr(spec, 'minimum') and hasattr(spec, 'maximum'):
        details |= {'min': number(spec, spec.minimum), 'max': number(spec, spec.maximum)}
    return details


def values_of(spec, element):
    """The values of an enumeration or of flags, of which sets come after what they contain. The class of a value has
    them in each version of PyGObject."""
    kind = type(element.get_property(spec.name))
    if spec.value_type.is_a(GObject.TYPE_FLAGS):
        members = kind.__flags_values__.values()
        return {'kind': 'flags', 'values': [{'name': member.value_nicks[-1], 'value': f'0x{int(member):08x}',
                                             'desc': member.value_names[-1]} for member in members]}
    return {'kind': 'enum', 'values': [{'name': member.value_nick, 'value': str(int(member)), 'desc': member.value_name}
                                       for member in kind.__enum_values__.values()]}


def object_details(gtype, element, types):
    """What a class adds; classes and enumerations that are the plugin's API go into types."""
    hierarchy = [gtype]
    while hierarchy[-1].parent != GObject.TYPE_INVALID and hierarchy[-1] != GObject.TYPE_OBJECT:
        hierarchy.append(hierarchy[-1].parent)
    details = {'hierarchy': [each.name for each in hierarchy]}
    if element.__gtype__.interfaces:
        details['interfaces'] = [each.name for each in element.__gtype__.interfaces]
    specs = [spec for spec in element.list_properties() if spec.owner_type == gtype]
    if specs:
        details['properties'] = {spec.name: property_details(spec, element) for spec in specs}
    signals = [GObject.signal_query(number) for number in GObject.signal_list_ids(gtype)]
    if signals:
        details['signals'] = {signal.signal_name: {
            'args': [{'name': f'arg{i}', 'type': each.name} for i, each in enumerate(signal.param_types)],
            'return-type': signal.return_type.name} for signal in signals}
    for spec in specs:
        kind = spec.value_type
        if is_api(kind) and (kind.is_a(GObject.TYPE_ENUM) or kind.is_a(GObject.TYPE_FLAGS)):
            types.setdefault(kind.name, values_of(spec, element))
    for base in hierarchy[1:]:
        if is_api(base) and base.name not in types:
            types[base.name] = {'kind': 'object', **object_details(base, element, types)}
    return details


def caps_text(caps):
    if caps.is_any() or caps.is_empty():
        return 'ANY' if caps.is_any() else 'EMPTY'
    parts = []
    for i in range(caps.get_size()):
        structure, features = caps.get_structure(i), caps.get_features(i)
        name = structure.get_name()
        if features.is_any() or features.to_string() != 'memory:SystemMemory':
            name += f'({features.to_string()})'
        # fields are taken from the text, because Python has no value of some lists and ranges
        fields = CAPS_FIELD.findall(structure.to_string())
        parts.append(f'{name}:\n' + ''.join(f'{field:>15}: {value}\n' for field, value in fields))
    return '\n'.join(parts)


def pads(factory):
    return {pad.name_template.replace('%', '%%'): {
        'caps': caps_text(pad.get_caps()), 'direction': pad.direction.value_nick,
        'presence': pad.presence.value_nick} for pad in factory.get_static_pad_templates()}


def describe(with_pads):
    """The plugin, as gst_plugins_cache.json has it. Structures of pads, which are not compared, have other functions in
    Python from GStreamer 1.26 on, so that the file is made with Debian 12's."""
    plugin = Gst.Registry.get().find_plugin(PLUGIN)
    assert plugin, f'GStreamer does not find the plugin {PLUGIN}'
    types, elements = {}, {}
    for feature in Gst.Registry.get().get_feature_list_by_plugin(PLUGIN):
        factory = feature.load()
        element = factory.create(None)
        elements[factory.get_name()] = {
            'rank': RANKS[factory.get_rank()],
            **{key: factory.get_metadata(key) for key in factory.get_metadata_keys() if key != 'long-name'},
            **object_details(element.__gtype__, element, types), **({'pad-templates': pads(factory)} if with_pads else {})}
    return {PLUGIN: {'description': plugin.get_description(), 'filename': f'gst{PLUGIN}', 'source': plugin.get_source(),
                     'package': plugin.get_package(), 'license': plugin.get_license(), 'url': plugin.get_origin(),
                     'elements': elements, 'tracers': {}, 'other-types': types}}


def differences(was, now, place=''):
    """A line for each value that differs."""
    if not isinstance(was, dict) or not isinstance(now, dict):
        return [] if was == now else [f'{place}: {json.dumps(was)} became {json.dumps(now)}']
    lines = []
    for key in sorted({*was, *now} - {*NOT_COMPARED}):
        where = f'{place}/{key}'.lstrip('/')
        if key not in now and key not in OPTIONAL:
            lines.append(f'{where} is gone')
        elif key in now and key not in was:
            lines.append(f'{where} is new')
        elif key in now:
            lines += differences(was[key], now[key], where)
    return lines


def keep_optional(path, now):
    """Keeps what this GStreamer does not have."""
    with open(path, encoding='utf-8') as file:
        former = json.load(file)[PLUGIN]['elements']
    for name, element in now[PLUGIN]['elements'].items():
        for key in OPTIONAL:
            if key in former.get(name, {}).get('properties', {}):
                element['properties'].setdefault(key, former[name]['properties'][key])


def main(root, *options):
    Gst.init(None)
    path, now = os.path.join(root, PATH), describe('--write' in options)
    if '--write' in options:
        keep_optional(path, now)
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(now, file, indent=4, sort_keys=True)
            file.write('\n')
        return
    with open(path, encoding='utf-8') as file:
        changed = differences(json.load(file), now)
    if changed:
        sys.exit('\n'.join([*changed, '', f'These differ from {PATH}. If they are meant, write into CHANGELOG.md what a user '
                            'has to change, and make the file anew: this program with the source folder and --write, then '
                            'tests/lint/properties.py with the same']))


if __name__ == '__main__':
    main(*sys.argv[1:])
