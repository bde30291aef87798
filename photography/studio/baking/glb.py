"""Writes a baked product as GLB: python3 glb.py PRODUCT.npz PRODUCT.glb (Debian's Python, with numpy and Pillow)."""
import io
import json
import struct
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

FLOAT, BYTE, USHORT, UINT = 5126, 5120, 5123, 5125
CANE_PITCH = .0125  # metres; see materials.cane


def group_of(name):
    """Which of the file's materials a material of the studio becomes."""
    if name.startswith('fabric-velvet'):
        return 'velvet'
    for start in ('fabric', 'rug', 'shade', 'sheer', 'glass', 'opal', 'emit', 'cane'):
        if name.startswith(start):
            return {'fabric': 'cloth', 'rug': 'cloth', 'sheer': 'shade'}.get(start, start)
    return 'hard'


def srgb(linear):
    c = np.clip(linear, 0, 1)
    return np.where(c <= .0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - .055)


def picture(values, most, chroma=2):
    """The best JPEG of values in 0..1 that has at most so many KB; chroma 0 keeps every pixel's own.

    A JPEG, since the viewers of phones open nothing newer within a GLB for certain."""
    image = Image.fromarray((np.clip(values, 0, 1) * 255 + .5).astype(np.uint8))
    for quality in (88, 84, 80, 76, 71, 66, 60, 54, 48):
        out = io.BytesIO()
        image.save(out, 'JPEG', quality=quality, subsampling=chroma, optimize=True)
        if out.tell() <= most * 1024:
            break
    return out.getvalue(), 'image/jpeg'


def cane_tile(colour, size=128):
    """One pitch of the webbing, which repeats: the formula of materials.cane."""
    u, v = np.meshgrid((np.arange(size) + .5) / size, (np.arange(size) + .5) / size)

    def band(x, centre, half):
        return np.abs(x % 1 - centre) < half

    straight = band(u, .36, .085) | band(u, .64, .085) | band(v, .36, .085) | band(v, .64, .085)
    mask = straight | band(u + v, .5, .10) | band(u - v, .5, .10)
    edge = np.where(straight, 1., .86)[..., None]
    rgba = np.concatenate([np.broadcast_to(srgb(colour), (size, size, 3)) * edge, mask[..., None]], 2)
    image = Image.fromarray((np.clip(rgba, 0, 1) * 255 + .5).astype(np.uint8), 'RGBA')
    out = io.BytesIO()
    image.quantize(16).save(out, 'PNG', optimize=True)
    return out.getvalue(), 'image/png'


class File:
    """The JSON and the bytes of a GLB that grows."""

    def __init__(self):
        self.bytes = bytearray()
        self.json = {'asset': {'version': '2.0', 'generator': 'photography/bake.py'}, 'extensionsUsed': ['KHR_mesh_quantization'],
            'extensionsRequired': ['KHR_mesh_quantization'], 'bufferViews': [], 'accessors': [], 'images': [], 'textures': [],
            'samplers': [{'magFilter': 9729, 'minFilter': 9987, 'wrapS': 10497, 'wrapT': 10497}], 'materials': []}

    def view(self, data, **more):
        self.bytes += b'\0' * (-len(self.bytes) % 4)
        self.json['bufferViews'].append({'buffer': 0, 'byteOffset': len(self.bytes), 'byteLength': len(data), **more})
        self.bytes += data
        return len(self.json['bufferViews']) - 1

    def accessor(self, values, component, kind, target, stride=None, normalized=False, bounds=False):
        rows = values
        if stride:
            pad = stride // values.itemsize - values.shape[1]
            rows = np.pad(values, ((0, 0), (0, pad)))
        view = {'target': target, **({'byteStride': stride} if stride else {})}
        entry = {'bufferView': self.view(rows.tobytes(), **view), 'componentType': component, 'count': len(values), 'type': kind}
        if normalized:
            entry['normalized'] = True
        if bounds:
            entry.update(min=values.min(0).tolist(), max=values.max(0).tolist())
        self.json['accessors'].append(entry)
        return len(self.json['accessors']) - 1

    def texture(self, data, mime):
        self.json['images'].append({'bufferView': self.view(data), 'mimeType': mime})
        self.json['textures'].append({'sampler': 0, 'source': len(self.json['images']) - 1})
        return {'index': len(self.json['textures']) - 1}

    def uses(self, extension):
        if extension not in self.json['extensionsUsed']:
            self.json['extensionsUsed'].append(extension)

    def write(self, path):
        self.bytes += b'\0' * (-len(self.bytes) % 4)
        self.json['buffers'] = [{'byteLength': len(self.bytes)}]
        text = json.dumps({k: v for k, v in self.json.items() if v != []}, separators=(',', ':')).encode()
        text += b' ' * (-len(text) % 4)
        with open(path, 'wb') as file:
            file.write(struct.pack('<4sII', b'glTF', 2, 12 + 8 + len(text) + 8 + len(self.bytes)))
            file.write(struct.pack('<I4s', len(text), b'JSON') + text)
            file.write(struct.pack('<I4s', len(self.bytes), b'BIN\0') + self.bytes)


def vertices(parts):
    """Corners that are the same in place, normal and map become one vertex, in whole numbers."""
    place = parts['position'][:, [0, 2, 1]] * (1, 1, -1)  # y up
    normal = parts['normal'][:, [0, 2, 1]] * (1, 1, -1)
    used = np.unique(parts['triangles'])
    low, high = place[used].min(0), place[used].max(0)
    scale = (high - low).max()
    whole = np.round((place - low) / scale * 65535).clip(0, 65535).astype(np.int32)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    facing = np.round(np.where(length > 1e-6, normal / np.maximum(length, 1e-6), (0, 1, 0)) * 127).astype(np.int32)
    atlas = np.round(np.clip(np.stack([parts['atlas'][:, 0], 1 - parts['atlas'][:, 1]], 1), 0, 1) * 65535).astype(np.int32)
    weave = np.round(parts['weave'] / CANE_PITCH * 1000).astype(np.int32)
    is_cane = np.array([group_of(n) == 'cane' for n in parts['names']])
    corner_cane = np.zeros(len(place), bool)
    corner_cane[parts['triangles'][is_cane[parts['material']]].ravel()] = True
    weave[~corner_cane] = 0
    rows, index = np.unique(np.concatenate([whole, facing, atlas, weave], 1), axis=0, return_inverse=True)
    triangles = index.reshape(-1)[parts['triangles']]
    return rows, triangles, low, scale


def used_first(rows, triangles, kinds):
    """Vertices in the order in which the triangles, sorted by material, use them."""
    order = np.argsort(kinds, kind='stable')
    triangles, kinds = triangles[order], kinds[order]
    seen, first = np.unique(triangles.ravel(), return_index=True)
    ranked = seen[np.argsort(first)]
    place = np.empty(len(rows), np.int64)
    place[ranked] = np.arange(len(ranked))
    return rows[ranked], place[triangles], kinds


def shared_maps(file, parts, kinds):
    """The maps that are the same in every colour: roughness, relief and a lamp's own light, if it has any."""
    surface = parts['surface'].copy()
    surface[..., 0] = parts['shade'][..., 0]
    rough = file.texture(*picture(surface, 38, 0))
    relief = file.texture(*picture(parts['relief'], 88, 0))
    glow = file.texture(*picture(lit(parts, kinds), 14)) if 'glow' in parts and {'shade', 'opal'} & set(kinds) else None
    return rough, relief, glow


def materials(file, parts, kinds, shared):
    """The file's materials in the colour of `parts`, by group."""
    rough, relief, glow = shared
    base = {'baseColorTexture': file.texture(*picture(srgb(colour_of(parts)), 110)), 'metallicRoughnessTexture': rough}
    plain = {'pbrMetallicRoughness': base, 'normalTexture': relief, 'occlusionTexture': {**rough, 'strength': .6}}
    # Oiled wood and worn leather throw back less of a bright room than varnish would, which turns walnut white at a low angle.
    is_dull = any(str(name).startswith(('wood-', 'leather-')) for name in parts['names'])
    made = {
        'hard': {**plain, 'extensions': {'KHR_materials_specular': {'specularFactor': .5}}} if is_dull else plain,
        'cloth': {**plain, 'extensions': {'KHR_materials_specular': {'specularFactor': .35}}},
        'velvet': {**plain, 'extensions': {'KHR_materials_specular': {'specularFactor': .35},
            'KHR_materials_sheen': {'sheenColorFactor': velvet_sheen(parts), 'sheenRoughnessFactor': .35}}},
        'shade': {**plain, 'doubleSided': True, 'extensions': {'KHR_materials_specular': {'specularFactor': .2}},
            **({'emissiveTexture': glow, 'emissiveFactor': [1, 1, 1]} if glow else {})},
        'opal': {**plain, **({'emissiveTexture': glow, 'emissiveFactor': [1, 1, 1]} if glow else {})},
        'emit': {'pbrMetallicRoughness': {'baseColorFactor': [.9, .8, .65, 1], 'metallicFactor': 0, 'roughnessFactor': .4},
            'emissiveFactor': [1, .72, .42], 'extensions': {'KHR_materials_emissive_strength': {'emissiveStrength': 2.2}}},
        # A thin wall that the page shows through: a browser draws true refraction only against what is in the scene, which is nothing.
        'glass': {'pbrMetallicRoughness': {'baseColorFactor': [.72, .82, .79, .3], 'metallicFactor': 0, 'roughnessFactor': .03},
            'alphaMode': 'BLEND', 'doubleSided': True},
    }
    if 'cane' in kinds:
        tile = file.texture(*cane_tile(cane_colour(parts)))
        made['cane'] = {'pbrMetallicRoughness': {'baseColorTexture': tile, 'metallicFactor': 0, 'roughnessFactor': .55},
            'alphaMode': 'MASK', 'alphaCutoff': .5, 'doubleSided': True}
    return made


def texels(parts, group, name):
    """The values of a map at the corners of that group's triangles."""
    of_group = np.array([group_of(n) == group for n in parts['names']])[parts['material']]
    at = parts['atlas'][np.unique(parts['triangles'][of_group])]
    size = len(parts[name])
    x, y = ((np.clip(c, 0, .9999) * size).astype(int) for c in (at[:, 0], 1 - at[:, 1]))
    return parts[name][y, x]


def lit(parts, kinds):
    """A lamp's own light on its shade, scaled so that its brightest parts stay short of white, and paler than it falls: a camera is set to it."""
    groups = [g for g in ('shade', 'opal') if g in kinds]
    bright = np.percentile(np.concatenate([texels(parts, g, 'glow').max(1) for g in groups]), 96)
    glow = parts['glow'] / max(bright, 1e-6) * .40
    glow = .4 * glow + .6 * glow.mean(-1, keepdims=True)
    return srgb(glow)


def velvet_sheen(parts):
    colour = texels(parts, 'velvet', 'colour').mean(0)
    return [round(float(c), 3) for c in np.clip(colour * 1.1 + .02, 0, 1)]


def colour_of(parts):
    """The baked colours; a lit shade is darker, since its own light is added to it."""
    if 'glow' not in parts:
        return parts['colour']
    shades = np.array([group_of(str(n)) == 'shade' for n in parts['names']])[parts['material']]
    if not shades.any():
        return parts['colour']
    size = len(parts['colour'])
    mask = Image.new('L', (size, size))
    draw = ImageDraw.Draw(mask)
    for corners in parts['atlas'][parts['triangles'][shades]]:
        draw.polygon([(float(u) * size, (1 - float(v)) * size) for u, v in corners], fill=255)
    shaded = np.array(mask.filter(ImageFilter.MaxFilter(9)))[..., None] > 0
    return np.where(shaded, parts['colour'] * .62, parts['colour'])


def cane_colour(parts):
    return np.clip(texels(parts, 'cane', 'colour').mean(0), 0, 1)


class Mesh:
    """Some of the product's triangles as a mesh of the file: its vertices, then a primitive for each material."""

    def __init__(self, file, parts, rows, triangles, kinds):
        self.file, self.kinds = file, kinds
        self.rows, self.triangles, self.kinds = used_first(rows, triangles, kinds)
        self.attributes = {
            'POSITION': file.accessor(self.rows[:, 0:3].astype(np.uint16), USHORT, 'VEC3', 34962, 8, True, True),
            'NORMAL': file.accessor(self.rows[:, 3:6].astype(np.int8), BYTE, 'VEC3', 34962, 4, True),
        }
        self.atlas = file.accessor(self.rows[:, 6:8].astype(np.uint16), USHORT, 'VEC2', 34962, 4, True)
        self.weave = file.accessor((self.rows[:, 8:10] / 1000).astype(np.float32), FLOAT, 'VEC2', 34962) if 'cane' in kinds else None

    def primitives(self, numbers_of):
        """One for each material; `numbers_of` has its number in each colour, the first first."""
        wide = len(self.rows) > 65535
        made = []
        for kind in dict.fromkeys(self.kinds.tolist()):
            index = self.triangles[self.kinds == kind].astype(np.uint32 if wide else np.uint16).ravel()
            numbers = numbers_of[kind]
            mappings = [{'material': number, 'variants': [n]} for n, number in enumerate(numbers)]
            made.append({'attributes': {**self.attributes, 'TEXCOORD_0': self.weave if kind == 'cane' else self.atlas},
                'indices': self.file.accessor(index, UINT if wide else USHORT, 'SCALAR', 34963), 'material': numbers[0],
                **({'extensions': {'KHR_materials_variants': {'mappings': mappings}}} if len(numbers) > 1 else {})})
        return made


def main(source, target):
    parts = dict(np.load(source))
    kinds = np.array([group_of(str(n)) for n in parts['names']])[parts['material']]
    rows, triangles, low, scale = vertices(parts)
    file = File()
    shared = shared_maps(file, parts, kinds)
    # Without other colours a file has no variants, and the one colour no name.
    variants = parts['variants'].tolist() or [[None, 'colour']]
    numbers_of = {kind: [] for kind in dict.fromkeys(kinds.tolist())}
    for _, colour in variants:
        made = materials(file, {**parts, 'colour': parts[colour]}, kinds, shared)
        for kind, numbers in numbers_of.items():
            numbers.append(len(file.json['materials']))
            file.json['materials'].append({'name': kind, **made[kind]})
            for extension in made[kind].get('extensions', {}):
                file.uses(extension)
    if len(variants) > 1:
        file.uses('KHR_materials_variants')
        file.json['extensions'] = {'KHR_materials_variants': {'variants': [{'name': name} for name, _ in variants]}}
    handles = np.isin(parts['material'], parts['handles'])
    where = {'scale': [float(scale)] * 3, 'translation': [float(v) for v in low]}
    meshes, nodes = [], []
    for name, chosen in (('furniture', ~handles), ('handles', handles)):
        if chosen.any():
            meshes.append({'name': name, 'primitives': Mesh(file, parts, rows, triangles[chosen], kinds[chosen]).primitives(numbers_of)})
            nodes.append({'name': name, 'mesh': len(meshes) - 1, **where})
    file.json.update(scene=0, scenes=[{'nodes': list(range(len(nodes)))}], meshes=meshes, nodes=nodes)
    file.write(target)
    print(f'FILE {len(rows)} vertices, {len(triangles)} triangles', flush=True)


main(*sys.argv[1:3])
