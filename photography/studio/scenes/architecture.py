"""The room itself: floor, walls, window, light, and where the camera stands."""
import math
import random
from math import radians as rad

import bpy

import materials
import shapes
import stage

WIDTH = 6.4  # of every room, in metres
BACK = 1.75  # where its back wall stands
WALL = BACK - .015  # where a picture hangs on it
WINDOW = -WIDTH / 2 + .12  # where a curtain hangs


def floor(width, depth, front, species='oak', plank_width=.14, plank_length=1.9, seed=1):
    """Boards with gaps of 1 mm and random lengths: one mesh, one island a board."""
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
    shapes.obj_from('floor', verts, faces, materials.planks(species), smooth=False)
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


def shell(wall, boards='oak', back=BACK, front=-5., height=2.95):
    """Four plastered walls, ceiling and skirting, with a tall window in the left wall: an open hole for the daylight."""
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
    floor(WIDTH + .4, 7., front - .1, boards)


def wood_panels(species='oak', height=2.95, board=.40, gap=.004):
    """The back wall in upright boards with shadow gaps."""
    count = round(WIDTH / board)
    width = WIDTH / count
    shapes.rbox((WIDTH, .004, height), 0, (0, BACK - .002, height / 2), mat=materials.paint('#1c1612', .9))
    for i in range(count):
        shapes.rbox((width - gap, .018, height), .0015, (-WIDTH / 2 + width * (i + .5), BACK - .013, height / 2),
            mat=materials.wood(species, 'Z'))


def wainscot(colour, height=1.15, board=.13):
    """Painted tongue-and-groove boards on the lower back wall, under a rail."""
    paint = materials.paint(colour, .5)
    count = round(WIDTH / board)
    width = WIDTH / count
    for i in range(count):
        shapes.rbox((width - .001, .014, height), .003, (-WIDTH / 2 + width * (i + .5), BACK - .007, height / 2), mat=paint)
    shapes.rbox((WIDTH, .036, .03), .005, (0, BACK - .018, height + .015), mat=paint)
    shapes.rbox((WIDTH, .024, .12), .003, (0, BACK - .012, .06), mat=paint)


def daylight(sunshine=7.5):
    """A panel of sky outside the window, and a low sun that rakes the back wall."""
    stage.world((.92, .96, 1.), .16)
    stage.area('sky', (-WIDTH / 2 - 1.1, -.6, 1.6), (0, -.6, 1.1), (3.4, 3.0), 330, (.93, .965, 1.))
    stage.area('room', (.8, -4.7, 2.0), (0, 1., 1.), (4., 2.), 95, (1., .985, .96))
    stage.sun((1.62, 1., -.60), sunshine, (1., .90, .77))


def overcast():
    """A bright day without sun: soft light from the window, and more from the room behind the camera."""
    stage.world((.93, .965, 1.), .22)
    stage.area('sky', (-WIDTH / 2 - 1.1, -.6, 1.6), (0, -.6, 1.1), (3.4, 3.0), 520, (.93, .965, 1.))
    stage.area('room', (.8, -4.7, 2.0), (0, 1., 1.), (4., 2.), 110, (1., .985, .96))


def evening():
    """Dusk outside; the room's own lamps, and a little warm light from the room behind the camera."""
    stage.world((.45, .6, 1.), .05)
    stage.area('dusk', (-WIDTH / 2 - 1.1, -.6, 1.6), (0, -.6, 1.1), (3.4, 3.0), 46, (.52, .68, 1.))
    stage.area('room', (1.2, -4.7, 2.3), (0, 1., .8), (3., 1.5), 34, (1., .80, .58))


def eye(loc, turn=0., sensor=36., shift=(0., 0.), lens=40):
    """Level camera at eye height; a narrower sensor crops the same view."""
    cam = bpy.data.cameras.new('camera')
    cam.lens, cam.sensor_width, cam.sensor_fit = lens, sensor, 'HORIZONTAL'
    cam.shift_x, cam.shift_y = shift
    ob = stage.add('camera', cam)
    ob.location = loc
    ob.rotation_euler = (rad(90), 0, rad(turn))
    bpy.context.scene.camera = ob
