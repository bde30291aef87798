"""Bake products into 3D models: blender -b -P bake.py -- [options] name [name ...] | all

A name is a product's slug or `slug+size`. Writes ../demo/models/SLUG.glb or SLUG-SIZE.glb, with all colours of the product as variants: metres,
y up, standing on 0. See README.md."""
import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'studio'))

import numpy as np  # noqa: E402

import catalogue  # noqa: E402
import stage  # noqa: E402
from baking import geometry, maps  # noqa: E402

MODELS = os.path.join(HERE, '..', 'demo', 'models')
PYTHON = '/usr/bin/python3'  # Debian's, with numpy and Pillow; Blender's own lacks Pillow


def options():
    parser = argparse.ArgumentParser(prog='blender -b -P bake.py --', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='+', metavar='name')
    parser.add_argument('--out', default=MODELS, help='the folder for the models')
    parser.add_argument('--size', type=int, default=1024, help='width of the maps in pixels')
    parser.add_argument('--triangles', type=int, help='at most; else by the family')
    parser.add_argument('--missing', action='store_true', help='skip models that are there')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1:])


def described(slug):
    """The product as the shop sells it."""
    with open(os.path.join(HERE, '..', 'demo', 'products.json')) as file:
        return next(p for p in json.load(file) if p['slug'] == slug)


def measures_of(shot):
    """The measurements of that size, in metres by name. The sizes of the range stand in the order of the shop's, after the first."""
    sizes = list(catalogue.PRODUCTS[shot.slug].sizes)
    place = next((sizes.index(v) + 1 for v in shot.variants if v in sizes), 0)
    return {m['name']: float(m['value']) / 100 for m in described(shot.slug)['sizes'][place]['measurements'] if m['name'] in geometry.OUTER}


def built(name, opt):
    """The product as one mesh of an otherwise empty scene, and what says how it lies."""
    stage.reset()
    shot = catalogue.shot(name)
    ob = geometry.one_mesh(shot, opt.size, measures_of(shot), opt.triangles)
    return ob, geometry.arrays(ob, shot.family)


def bake(name, opt):
    shot = catalogue.shot(name)
    target = os.path.join(opt.out, shot.file() + '.glb')
    if opt.missing and os.path.exists(target):
        return
    start = time.time()
    ob, parts = built(name, opt)
    parts.update(maps.all_maps(ob, opt.size))
    others = list(catalogue.PRODUCTS[shot.slug].colours)
    for colour in others:
        ob, lies = built(f'{name}+{colour}', opt)
        if not np.array_equal(lies['atlas'], parts['atlas']):
            raise ValueError(f'{name} in {colour} is unfolded in another way than in its first colour')
        parts[f'colour {colour}'] = maps.colour_map(ob, opt.size)
    # The shop knows a colour by its code.
    codes = [c['hexCode'] for c in described(shot.slug)['colors']] if others else []
    parts['variants'] = np.array(list(zip(codes, ['colour', *(f'colour {c}' for c in others)])))
    np.savez(target + '.npz', **parts)
    baked = time.time() - start
    subprocess.run([PYTHON, os.path.join(HERE, 'studio', 'baking', 'glb.py'), target + '.npz', target], check=True)
    os.remove(target + '.npz')
    print(f'MODEL {name} in {baked:.0f} s, {os.path.getsize(target) / 1024:.0f} KB', flush=True)


def main():
    opt = options()
    known = [name for name in [*catalogue.PRODUCTS, *catalogue.sizes()] if catalogue.shot(name).family != 'set']
    names = known if opt.names == ['all'] else opt.names
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f'No such product or size: {", ".join(unknown)}')
    os.makedirs(opt.out, exist_ok=True)
    geometry.coarsen()
    catalogue.stems = lambda *args: None  # branches are not sold with the vase
    for name in names:
        bake(name, opt)


main()
