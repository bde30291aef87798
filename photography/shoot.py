"""Photograph products and rooms: blender -b -P shoot.py -- [options] name [name ...] | plan | all | scenes | materials

A name is a product's slug, one of its variants (`slug+variant`), a room's or a material's; `all` is the whole range in every variant,
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
import samples as close_ups  # noqa: E402
import scenes  # noqa: E402
import shapes  # noqa: E402
import stage  # noqa: E402
import swatches  # noqa: E402

DEMO = os.path.join(HERE, '..', 'demo')
PYTHON = '/usr/bin/python3'  # Debian's, with numpy and Pillow; Blender's own lacks Pillow
VIEWS = ('hero', 'front', 'detail')  # of a product
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


def set_close_up(build, light, detail):
    """Build and light something, and look closely at one point of it."""
    build()
    stage.photo_studio(light)
    point, size, aim = detail
    fstop = 4. if size < .3 else 5.6  # shallow focus on one point
    stage.camera(points=stage.cube_points(point, size), fill=1.25, fstop=fstop, focus=point, level=False, **aim)


def set_product(shot, view):
    """Build the product, light it and aim the camera."""
    notes = families.FAMILIES[shot.family]
    if view == 'detail':
        set_close_up(shot.build, notes['light'], shot.detail)
        return
    aim = dict(notes[view])
    turn = aim.pop('turn', 0)
    shapes.place(shot.build, turn=turn) if turn else shot.build()
    stage.photo_studio(notes['light'], dim=notes.get('dim', 1.))
    stage.camera(**aim)


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
    if view == 'hero' and shot.family != 'set':
        with open(target + '.json', 'w') as file:
            json.dump(swatches.points(shot.swatch), file)
    return parts


def render_room(room, width, samples, target):
    """In passes that a break leaves behind for the next start."""
    stage.settings(width, round(width / room.aspect / 2) * 2, PASS_SAMPLES)
    parts = [f'{target}.{width}.{i}.npz' for i in range(max(1, samples // PASS_SAMPLES))]
    left = [part for part in parts if not os.path.exists(part)]
    if left:
        room.build()
    for part in left:
        stage.render(part, seed=parts.index(part))
        print(f'PASS {os.path.basename(part)}', flush=True)
    return parts


def render_sample(name, width, samples, target):
    """A close-up of a cloth or wood."""
    stage.settings(width, width * 5 // 4, samples)
    set_close_up(close_ups.SAMPLES[name], close_ups.LIGHT, close_ups.close_up(name))
    parts = [target + '.npz']
    stage.render(parts[0])
    return parts


def shoot(name, view, opt):
    room = scenes.SCENES.get(name)
    shot = catalogue.shot(name) if view in VIEWS else None
    file = shot.file(view) if shot else name
    target = os.path.join(opt.out, file + '.webp')
    done = (target, os.path.join(DEMO, 'scenes' if room else 'pictures', file + '.webp'))
    width = opt.w or (1600 if not room else 1920 if room.aspect > 1 else 1200)
    samples = opt.spp or (12 if room else 8)
    if opt.missing and any(width_of(path) >= width for path in done):
        return
    os.makedirs(opt.out, exist_ok=True)
    start = time.time()
    stage.reset()
    if room:
        parts = render_room(room, width, samples, target[:-5])
    elif not shot:
        parts = render_sample(name, width, samples, target[:-5])
    else:
        parts = render_product(shot, view, width, samples, target[:-5])
    seconds = time.time() - start
    develop = [PYTHON, os.path.join(HERE, 'studio', 'develop.py'), target, name, view, *parts]
    subprocess.run(develop + ['--sketch'] * opt.sketch + (['--mid', str(room.mid)] if room else []), check=True)
    for part in parts:
        os.remove(part)
    print(f'SHOT {file} rendered in {seconds:.0f} s, developed in {time.time() - start - seconds:.0f} s, '
        f'{os.path.getsize(target) // 1024} KB', flush=True)


def pictures_left(opt):
    """(name, view) of every picture that was asked for."""
    if opt.names == ['plan']:
        return plan.SHOTS
    groups = {'all': catalogue.names(), 'scenes': list(scenes.SCENES), 'materials': list(close_ups.SAMPLES)}
    names = groups.get(opt.names[0], opt.names)
    known = {name for group in groups.values() for name in group}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f'No such product, room or material: {", ".join(unknown)}')
    products = [name for name in names if name in groups['all']]
    return [
        *((name, view) for view in opt.views.split(',') for name in products
            if view != 'detail' or catalogue.shot(name).detail),  # hero first: it measures the paper
        *((name, 'room') for name in names if name in scenes.SCENES),
        *((name, 'material') for name in names if name in close_ups.SAMPLES),
    ]


def main():
    opt = options()
    for name, view in pictures_left(opt):
        shoot(name, view, opt)


main()
