"""Where a packshot shows its product's colour: ../demo/check.mjs compares the picture there with the colour's swatch."""
import random
import tempfile

import bpy
import numpy as np

import stage

WIDTH, HEIGHT = 400, 500
POINTS = 40


def material_map():
    """For every pixel of the picture, as built and aimed, the index of the material that it shows; the names by index."""
    stage.settings(WIDTH, HEIGHT, 1, bounces=0)
    names = {}
    for index, material in enumerate(bpy.data.materials, 1):
        material.pass_index = index
        names[index] = material.name
    bpy.context.view_layer.use_pass_material_index = True
    with tempfile.TemporaryDirectory() as folder:
        seen = stage.render_passes(folder, {'index': 'IndexMA'})['index'][..., 0]
    bpy.context.view_layer.use_pass_material_index = False
    return seen.round().astype(int), names


def is_of(name, wanted):
    return name.startswith(wanted) if wanted else name != 'backdrop'


def inner(mask, steps):
    """The mask without its border of so many pixels."""
    for _ in range(steps):
        m = np.pad(mask, 1)
        mask = mask & m[:-2, 1:-1] & m[2:, 1:-1] & m[1:-1, :-2] & m[1:-1, 2:]
    return mask


def points(wanted):
    """Points, in thousandths of width and height, well inside the material that gives the product its colour.

    wanted: what that material's name begins with; without it, the largest."""
    index, names = material_map()
    areas = {}
    for i, count in zip(*np.unique(index, return_counts=True)):
        kind = names.get(i, 'backdrop')
        if is_of(kind, wanted):
            group = kind[:-2] if kind.startswith('wood-') else kind  # wood: one for each direction of the grain
            areas.setdefault(group, []).append((count, i))
    members = max(areas.values(), key=lambda group: sum(count for count, _ in group))
    mask = np.isin(index, [i for _, i in members])
    core = next((m for m in (inner(mask, steps) for steps in (4, 3, 2, 1)) if m.sum() > 4 * POINTS), mask)
    found = np.argwhere(core)
    chosen = found[sorted(random.Random(1).sample(range(len(found)), min(POINTS, len(found))))]
    return [[round((x + .5) / WIDTH * 1000), round((y + .5) / HEIGHT * 1000)] for y, x in chosen.tolist()]
