"""Photograph products and rooms: blender -b -P shoot.py -- [options] name [name ...] | all | scenes

A name is a product's slug or a room's; `all` is the whole range. See README.md."""
import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'studio'))

import catalogue  # noqa: E402
import families  # noqa: E402
import scenes  # noqa: E402
import shapes  # noqa: E402
import stage  # noqa: E402

DEMO = os.path.join(HERE, '..', 'demo')
PYTHON = '/usr/bin/python3'  # Debian's, with numpy and Pillow; Blender's own lacks Pillow


def options():
    parser = argparse.ArgumentParser(prog='blender -b -P shoot.py --', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='+', metavar='name')
    parser.add_argument('--views', default='hero', help='hero, front and detail, separated by commas')
    parser.add_argument('--w', type=int, default=960, help='width of a picture in pixels')
    parser.add_argument('--spp', type=int, default=16, help='samples a pixel')
    parser.add_argument('--thr', type=float, default=.05, help='noise at which a pixel is left alone')
    parser.add_argument('--out', default='', help='a folder for sketches, instead of those of demo/')
    parser.add_argument('--missing', action='store_true', help='skip pictures that are there')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1:])


def set_product(slug, view):
    """Build the product, light it and aim the camera."""
    family, build, detail = catalogue.PRODUCTS[slug]
    notes = families.FAMILIES[family]
    aim = dict(notes[view]) if view != 'detail' else {}
    turn = aim.pop('turn', 0)
    shapes.place(build, turn=turn) if turn else build()
    stage.photo_studio(notes['light'])
    if view != 'detail':
        stage.camera(**aim)
        return
    point, size, aim = detail
    fstop = 4. if size < .3 else 5.6  # shallow focus on one point
    stage.camera(points=stage.cube_points(point, size), fill=1.25, fstop=fstop, focus=point, level=False, **aim)


def shoot(name, view, opt):
    room = scenes.SCENES.get(name)
    file = name if room or view == 'hero' else f'{name}-{view}'
    folder = opt.out or os.path.join(DEMO, 'scenes' if room else 'pictures')
    target = os.path.join(folder, file + '.webp')
    if opt.missing and os.path.exists(target):
        return
    os.makedirs(folder, exist_ok=True)
    start = time.time()
    stage.reset()
    aspect = room.aspect if room else 4 / 5
    stage.settings(opt.w, round(opt.w / aspect), opt.spp, opt.thr)
    room.build() if room else set_product(name, view)
    passes = target[:-5] + '.npz'
    stage.render(passes)
    develop = [PYTHON, os.path.join(HERE, 'studio', 'develop.py'), passes, target, name, 'room' if room else view]
    subprocess.run(develop + ['--sketch'] * bool(opt.out), check=True)
    os.remove(passes)
    print(f'SHOT {file} in {time.time() - start:.0f} s, {os.path.getsize(target) // 1024} KB', flush=True)


def main():
    opt = options()
    names = {'all': list(catalogue.PRODUCTS), 'scenes': list(scenes.SCENES)}.get(opt.names[0], opt.names)
    unknown = [name for name in names if name not in catalogue.PRODUCTS and name not in scenes.SCENES]
    if unknown:
        sys.exit(f'No such product or room: {", ".join(unknown)}')
    for view in opt.views.split(','):  # hero first: the other views take their exposure from it
        for name in names:
            shoot(name, view, opt)


main()
