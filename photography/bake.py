"""Bake products into 3D models: blender -b -P bake.py -- [options] slug [slug ...] | all

Writes ../demo/models/SLUG.glb: metres, y up, standing on 0. See README.md."""
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
    parser.add_argument('slugs', nargs='+', metavar='slug')
    parser.add_argument('--out', default=MODELS, help='the folder for the models')
    parser.add_argument('--size', type=int, default=1024, help='width of the maps in pixels')
    parser.add_argument('--triangles', type=int, help='at most; else by the family')
    parser.add_argument('--missing', action='store_true', help='skip models that are there')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1:])


def measures_of(slug):
    """The measurements of the product's first size, in metres by name."""
    with open(os.path.join(HERE, '..', 'demo', 'products.json')) as file:
        product = next(p for p in json.load(file) if p['slug'] == slug)
    return {m['name']: float(m['value']) / 100 for m in product['sizes'][0]['measurements']}


def bake(slug, opt):
    target = os.path.join(opt.out, slug + '.glb')
    if opt.missing and os.path.exists(target):
        return
    start = time.time()
    stage.reset()
    shot = catalogue.shot(slug)
    ob = geometry.one_mesh(shot, opt.size, measures_of(slug), opt.triangles)
    parts = {**geometry.arrays(ob, shot.family), **maps.all_maps(ob, opt.size)}
    np.savez(target + '.npz', **parts)
    baked = time.time() - start
    subprocess.run([PYTHON, os.path.join(HERE, 'studio', 'baking', 'glb.py'), target + '.npz', target], check=True)
    os.remove(target + '.npz')
    print(f'MODEL {slug} in {baked:.0f} s, {os.path.getsize(target) / 1024:.0f} KB', flush=True)


def main():
    opt = options()
    slugs = list(catalogue.PRODUCTS) if opt.slugs == ['all'] else opt.slugs
    unknown = [slug for slug in slugs if slug not in catalogue.PRODUCTS]
    if unknown:
        sys.exit(f'No such product: {", ".join(unknown)}')
    os.makedirs(opt.out, exist_ok=True)
    catalogue.stems = lambda *args: None  # branches are not sold with the vase
    for slug in slugs:
        bake(slug, opt)


main()
