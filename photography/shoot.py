"""Photograph products and rooms: blender -b -P shoot.py -- [options] name [name ...] | plan | all | scenes

A name is a product's slug, one of its variants (`slug+variant`) or a room's; `all` is the whole range in every variant,
`plan` the pictures of the catalogue in the order of studio/plan.py. See README.md."""
import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'studio'))

import catalogue  # noqa: E402
import families  # noqa: E402
import plan  # noqa: E402
import scenes  # noqa: E402
import shapes  # noqa: E402
import stage  # noqa: E402
import swatches  # noqa: E402

DEMO = os.path.join(HERE, '..', 'demo')
PYTHON = '/usr/bin/python3'  # Debian's, with numpy and Pillow; Blender's own lacks Pillow
PAPER = .25  # the paper round the product is smooth: it is rendered at this scale, with more samples
PAPER_SAMPLES = 16
PASS_SAMPLES = 4  # a room is rendered in passes of so many samples, so that a break loses one pass at most


def options():
    parser = argparse.ArgumentParser(prog='blender -b -P shoot.py --', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='+', metavar='name')
    parser.add_argument('--views', default='hero', help='hero, front and detail, separated by commas')
    parser.add_argument('--w', type=int, help='width of a picture in pixels: 1600, or 1920 for a wide room, 1200 for a tall one')
    parser.add_argument('--spp', type=int, help='samples a pixel: 8, or 12 for a room')
    parser.add_argument('--out', default=os.path.join(HERE, 'renders'), help='the folder for what is rendered')
    parser.add_argument('--missing', action='store_true', help='skip pictures that are there in that width, here or in demo/')
    parser.add_argument('--sketch', action='store_true', help='leave the remembered exposures alone')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1:])


def width_of(path):
    """Width of a WebP in pixels, 0 if there is none."""
    if not os.path.exists(path):
        return 0
    with open(path, 'rb') as file:
        head = file.read(32)
    if head[12:16] == b'VP8X':
        return int.from_bytes(head[24:27], 'little') + 1
    return int.from_bytes(head[26:28], 'little') & 0x3fff


def set_product(shot, view):
    """Build the product, light it and aim the camera."""
    notes = families.FAMILIES[shot.family]
    aim = dict(notes[view]) if view != 'detail' else {}
    turn = aim.pop('turn', 0)
    shapes.place(shot.build, turn=turn) if turn else shot.build()
    stage.photo_studio(notes['light'])
    if view != 'detail':
        stage.camera(**aim)
        return
    point, size, aim = shot.detail
    fstop = 4. if size < .3 else 5.6  # shallow focus on one point
    stage.camera(points=stage.cube_points(point, size), fill=1.25, fstop=fstop, focus=point, level=False, **aim)


def render_product(shot, view, width, samples, target):
    """A close-up whole; otherwise the product sharp, and its paper smaller."""
    stage.settings(width, width * 5 // 4, samples)
    set_product(shot, view)
    parts = [target + '.npz']
    if view == 'detail':
        stage.render(parts[0])
        return parts
    parts.append(target + '.paper.npz')
    stage.render(parts[0], box=stage.region())
    stage.settings(width, width * 5 // 4, PAPER_SAMPLES)
    stage.render(parts[1], scale=PAPER)
    if view == 'hero':
        with open(target + '.json', 'w') as file:
            json.dump(swatches.points(shot.swatch), file)
    return parts


def render_room(room, width, samples, target):
    """In passes that a break leaves behind for the next start."""
    stage.settings(width, round(width / room.aspect / 2) * 2, PASS_SAMPLES)
    parts = [f'{target}.{width}.{i}.npz' for i in range(max(1, samples // PASS_SAMPLES))]
    todo = [part for part in parts if not os.path.exists(part)]
    if todo:
        room.build()
    for part in todo:
        stage.render(part, seed=parts.index(part))
        print(f'PASS {os.path.basename(part)}', flush=True)
    return parts


def shoot(name, view, opt):
    room = scenes.SCENES.get(name)
    shot = None if room else catalogue.shot(name)
    file = name if room else shot.file(view)
    target = os.path.join(opt.out, file + '.webp')
    done = (target, os.path.join(DEMO, 'scenes' if room else 'pictures', file + '.webp'))
    width = opt.w or (1600 if shot else 1920 if room.aspect > 1 else 1200)
    samples = opt.spp or (8 if shot else 12)
    if opt.missing and any(width_of(path) >= width for path in done):
        return
    os.makedirs(opt.out, exist_ok=True)
    start = time.time()
    stage.reset()
    if room:
        parts = render_room(room, width, samples, target[:-5])
    else:
        parts = render_product(shot, view, width, samples, target[:-5])
    seconds = time.time() - start
    develop = [PYTHON, os.path.join(HERE, 'studio', 'develop.py'), target, name, 'room' if room else view, *parts]
    subprocess.run(develop + ['--sketch'] * opt.sketch + (['--mid', str(room.mid)] if room else []), check=True)
    for part in parts:
        os.remove(part)
    print(f'SHOT {file} rendered in {seconds:.0f} s, developed in {time.time() - start - seconds:.0f} s, '
        f'{os.path.getsize(target) // 1024} KB', flush=True)


def todo(opt):
    """(name, view) of every picture that was asked for."""
    if opt.names == ['plan']:
        return plan.SHOTS
    names = {'all': catalogue.names(), 'scenes': list(scenes.SCENES)}.get(opt.names[0], opt.names)
    known = set(catalogue.names()) | set(scenes.SCENES)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f'No such product or room: {", ".join(unknown)}')
    return [(name, view) for view in opt.views.split(',') for name in names]  # hero first: it measures the paper


def main():
    opt = options()
    for name, view in todo(opt):
        shoot(name, view, opt)


main()
