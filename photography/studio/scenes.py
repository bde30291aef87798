"""Rooms dressed with the range, for the home page."""
import math
import random
from collections import namedtuple
from math import radians as rad

import bpy
import numpy as np

import furniture
import materials
import shapes
import stage

WIDTH = 6.4  # of every room, in metres


def floor(width, depth, front, plank_width=.14, plank_length=1.9, seed=1):
    """Oak boards with gaps of 1 mm and random lengths: one mesh, one island a board."""
    rng = random.Random(seed)
    verts, faces = [], []
    y, edge = front, .0012
    while y < front + depth:
        x = -width / 2 - rng.uniform(0, plank_length)
        while x < width / 2:
            length = plank_length * rng.uniform(.7, 1.15)
            x0, x1, y0, y1 = x + .0006, x + length - .0006, y + .0006, y + plank_width - .0006
            b = len(verts)
            verts += [(x0, y0, -edge), (x1, y0, -edge), (x1, y1, -edge), (x0, y1, -edge), (x0 + edge, y0 + edge, 0),
                (x1 - edge, y0 + edge, 0), (x1 - edge, y1 - edge, 0), (x0 + edge, y1 - edge, 0)]
            faces += [(b + 4, b + 5, b + 6, b + 7), (b, b + 1, b + 5, b + 4), (b + 1, b + 2, b + 6, b + 5),
                (b + 2, b + 3, b + 7, b + 6), (b + 3, b, b + 4, b + 7)]
            x += length
        y += plank_width
    shapes.obj_from('floor', verts, faces, materials.planks('oak'), smooth=False)
    shapes.rbox((width + 4, depth + 4, .02), 0, (0, front + depth / 2, -.014), mat=materials.paint('#3a2c20', .9))


def curtain(x, y0, y1, folds, seed, bottom=.015, top=2.55, depth=.045):
    """Linen voile along the window wall."""
    rng = random.Random(seed)
    sway = [rng.uniform(-.5, .5) for _ in range(folds + 2)]

    def cloth(u, v):
        k = u * folds
        i = int(min(folds, k))
        wave = sway[i] + (sway[i + 1] - sway[i]) * (k - i)
        swing = depth * (.45 + .55 * (1 - v)) * (1 + .35 * wave)
        out = swing * math.sin(2 * math.pi * k + wave * (1 - v) * 1.6)
        along = y0 + (y1 - y0) * u + .018 * math.sin(5 * v + wave * 6) * (1 - v)
        return (x + out, along, bottom + (top - bottom) * v)
    shapes.surface(cloth, folds * 14, 26, materials.sheer('#efe8dc', .8), thickness=0, sub=1, name='curtain')


def framed_print(width, height, loc, cutouts):
    """An oak frame round paper cut-outs: [(colour, outline in -1..1), ...] from back to front."""
    x, y, z = loc
    bar, depth = .016, .026
    for side in (-1, 1):
        shapes.rbox((bar, depth, height), .001, (x + side * (width - bar) / 2, y, z), mat=materials.wood('oak', 'Z'))
        shapes.rbox((width - 2 * bar, depth, bar), .001, (x, y, z + side * (height - bar) / 2),
            mat=materials.wood('oak', 'X'))
    shapes.rbox((width - bar, .004, height - bar), 0, (x, y + .006, z), mat=materials.plaster('#f1ece2', .25))
    for i, (colour, outline) in enumerate(cutouts):
        ring = shapes.catmull(outline, 10, cyclic=True)
        near = y + .0035 - .0004 * (i + 1)
        verts = [(x + p[0] * (width / 2 - .05), near, z + p[1] * (height / 2 - .05)) for p in ring]
        shapes.obj_from('paper', verts, [tuple(range(len(verts)))], materials.plaster(colour, .15), smooth=False)


def pebbles_print(loc):
    framed_print(.62, .82, loc, [
        ('#a8674a', [(-.55, -.62), (.05, -.72), (.5, -.5), (.55, -.05), (.1, .12), (-.5, -.05), (-.7, -.35)]),
        ('#26302c', [(-.25, .05), (.2, .0), (.5, .3), (.35, .66), (-.1, .7), (-.42, .42)]),
        ('#d9b98a', [(-.62, -.2), (-.35, -.12), (-.3, .2), (-.5, .5), (-.72, .3)]),
    ])


def sunrise_print(loc):
    disc = [(math.cos(a) * .62, .28 + math.sin(a) * .4453) for a in np.linspace(0, 2 * math.pi, 14, endpoint=False)]
    framed_print(.62, .82, loc, [
        ('#c9a27a', disc),
        ('#6c7560', [(-.72, -.75), (.72, -.75), (.74, -.35), (.3, -.16), (-.2, -.38), (-.6, -.2), (-.76, -.42)]),
    ])


def shell(wall, back=1.75, front=-5., height=2.95):
    """Four walls, ceiling and skirting, with a tall window in the left wall: an open hole for the daylight."""
    plaster = materials.plaster(wall, .35)
    thick, length, half = .12, back - front, WIDTH / 2
    middle = front + length / 2

    def slab(size, loc, mat=plaster):
        shapes.rbox(size, 0, loc, mat=mat)
    slab((WIDTH + 2 * thick, thick, height), (0, back + thick / 2, height / 2))
    slab((thick, length, height), (half + thick / 2, middle, height / 2))
    slab((WIDTH + 2 * thick, thick, height), (0, front - thick / 2, height / 2))
    ceiling = materials.plaster('#f0ece5', .2)
    slab((WIDTH + 2 * thick, length + 2 * thick, thick), (0, middle, height + thick / 2), ceiling)
    near, far, sill, lintel = -1.9, .75, .12, 2.45
    x, y, z = -half - thick / 2, (near + far) / 2, (sill + lintel) / 2
    slab((thick, near - front, height), (x, (front + near) / 2, height / 2))
    slab((thick, back - far, height), (x, (back + far) / 2, height / 2))
    slab((thick, far - near, sill), (x, y, sill / 2))
    slab((thick, far - near, height - lintel), (x, y, (height + lintel) / 2))
    frame, skirting = materials.paint('#ece7de', .4), materials.paint('#eee8dd', .4)
    for post in (near + .03, y, far - .03):
        shapes.rbox((.05, .05, lintel - sill), .003, (x, post, z), mat=frame)
    for rail in (sill + .03, sill + (lintel - sill) * .36, lintel - .03):
        shapes.rbox((.05, far - near, .045), .003, (x, y, rail), mat=frame)
    shapes.rbox((WIDTH, .016, .09), .003, (0, back - .008, .045), mat=skirting)
    shapes.rbox((.016, length, .09), .003, (half - .008, middle, .045), mat=skirting)
    floor(WIDTH + .4, 7., front - .1)


def daylight(sunshine=7.5):
    """A panel of sky outside the window, and a low sun that rakes the back wall."""
    stage.world((.92, .96, 1.), .16)
    stage.area('sky', (-WIDTH / 2 - 1.1, -.6, 1.6), (0, -.6, 1.1), (3.4, 3.0), 330, (.93, .965, 1.))
    stage.area('room', (.8, -4.7, 2.0), (0, 1., 1.), (4., 2.), 95, (1., .985, .96))
    stage.sun((1.62, 1., -.60), sunshine, (1., .90, .77))


def eye(loc, turn=0., sensor=36., shift=(0., 0.), lens=40):
    """Level camera at eye height; a narrower sensor crops the same view."""
    cam = bpy.data.cameras.new('camera')
    cam.lens, cam.sensor_width, cam.sensor_fit = lens, sensor, 'HORIZONTAL'
    cam.shift_x, cam.shift_y = shift
    ob = stage.add('camera', cam)
    ob.location = loc
    ob.rotation_euler = (rad(90), 0, rad(turn))
    bpy.context.scene.camera = ob


def coffee_table():
    furniture.table(1.05, .78, .36, 'pebble', 'walnut', 'drum', t=.03)
    top = .36
    shapes.place(lambda: (furniture.vase('moon', .19, .22, materials.ceramic('#d9cfbf', 'raw', .4)),
        furniture.stems((0, 0, .15), 4, .46, .2, 'olive', 9)), (-.23, .08, top))
    shapes.place(lambda: furniture.tray(.34, rim=.02, mat=materials.stone('travertine')), (.25, -.08, top))
    shapes.place(lambda: furniture.candle_holder('ball', .11, materials.metal('brass'), candle_h=.13),
        (.19, -.04, top + .008))
    shapes.place(lambda: furniture.bowl(.13, .055, materials.ceramic('#3f4a44', 'satin')), (.31, -.13, top + .008))
    furniture.books((.07, -.24, top), ((.23, .16, .026, '#cfc4b2'), (.20, .15, .02, '#8f5b44')), 3)


def living_room():
    """A sofa on a wool rug, a lounge chair, a coffee table with a still life, lamps, prints."""
    cloth, walnut = materials.fabric, materials.wood('walnut', 'X')
    shell('#e3dbcf')
    daylight()
    pillows = ((-.78, .48, cloth('#8a5f49', 'linen'), 10, 3), (-.42, .42, cloth('#efe7d8', 'linen'), -6, 5),
        (.82, .50, cloth('#75766a', 'velvet'), -12, 8))
    shapes.uphol((3.2, 2.1, .022), .008, .0, (0.0, -.28, .011), mat=materials.rug('#d9cfbf'), lump=.0012, cell=.05)
    shapes.place(lambda: furniture.sofa(2.45, .95, .74, fabric=cloth('#cfc6b6', 'boucle'), seats=3, arm_w=.18,
        arm_h=.58, legs='plinth', leg_mat=walnut, leg_h=.07, seat_h=.42, pillows=pillows), (-.15, 1.12, 0))
    shapes.place(lambda: furniture.armchair(fabric=materials.leather('#8d5836'), wood='walnut'), (1.50, .02, .022), -52)
    shapes.place(coffee_table, (-.05, -.42, .022))
    shapes.place(lambda: furniture.floor_lamp((.16, .22), .27, 1.58, materials.metal('bronze'), power=1.3),
        (-1.78, 1.25, 0))
    shapes.place(lambda: furniture.cabinet(1.35, .40, .70, columns=((('fluted', 1.),),) * 3, leg='frame', leg_h=.14,
        wood='walnut'), (2.12, 1.50, 0))
    shapes.place(lambda: furniture.mushroom_lamp(.14, .36, power=1.6), (1.98, 1.46, .70))
    shapes.place(lambda: furniture.vase('bottle', .13, .30, materials.ceramic('#4b4038', 'matte')), (2.32, 1.48, .70))
    furniture.books((1.66, 1.46, .70), ((.22, .16, .03, '#d8cdbb'), (.20, .15, .022, '#596052')), 8)
    pebbles_print((-.55, 1.735, 1.60))
    sunrise_print((.20, 1.735, 1.60))
    curtain(-WIDTH / 2 + .12, -2.3, -1.55, folds=8, seed=2)
    curtain(-WIDTH / 2 + .12, .30, 1.25, folds=9, seed=4)


def bedroom():
    """The fluted oak wardrobe with a cord bench, a tall vase and a print."""
    shell('#ddd3c5')
    daylight(sunshine=4.)
    doors = ((('fluted', 1.),), (('door', .72), ('drawer', .14), ('drawer', .14)), (('fluted', 1.),))
    shapes.uphol((2.2, 1.5, .02), .008, .0, (-.35, -.25, .010), mat=materials.rug('#d9cfbf'), lump=.0012, cell=.05)
    shapes.place(lambda: furniture.cabinet(columns=doors), (.42, 1.44, 0))
    shapes.place(lambda: furniture.cord_bench(1.05), (-.30, .12, .020), 9)
    furniture.books((-.42, .10, .474), ((.24, .17, .028, '#cfc4b2'), (.21, .15, .02, '#6d7566')), 3)
    shapes.place(lambda: (furniture.vase('amphora', .26, .44, materials.ceramic('#b9a58c', 'raw', .3)),
        furniture.stems((0, 0, .36), 5, .74, .30, 'olive', 6)), (-.74, 1.34, 0))
    sunrise_print((-.80, 1.735, 1.62))
    curtain(-WIDTH / 2 + .12, .30, 1.25, folds=9, seed=4)


def living_room_wide():
    living_room()
    eye((.12, -4.3, 1.18), turn=-1.5, shift=(0, -.045))


def living_room_sofa():
    living_room()
    eye((.12, -4.3, 1.18), turn=-1.5, sensor=19.2, shift=(-.177, -.0844))


def bedroom_wardrobe():
    bedroom()
    eye((.14, -4.1, 1.15), sensor=19.2, shift=(0, -.03))


Room = namedtuple('Room', 'build aspect')
SCENES = {
    'living-room': Room(living_room_wide, 3 / 2),
    'sofa': Room(living_room_sofa, 4 / 5),
    'wardrobe': Room(bedroom_wardrobe, 4 / 5),
}
