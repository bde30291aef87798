"""Sofas, lounge chairs and footstools."""
import math
import random
from math import radians as rad

import materials
import shapes


def sofa(w=2.20, d=.92, h=.76, seat_h=.43, arm_w=.16, arm_h=.60, seats=3, fabric=None, legs='taper', leg_mat=None,
        leg_h=.15, cushion_t=.17, back='box', piping=True, pillows=(), arm_r=.05, lean=13, back_t=.15,
        seed=1, soft=1.):
    """seats: number of cushions; back: box | pillow | tight; legs: taper | block | sled | plinth.

    pillows: scatter cushions as (x, size, fabric, turn in degrees, seed)."""
    fab = fabric
    pipe = .0042 if piping else 0
    rng = random.Random(seed)
    iw = w - 2 * arm_w
    base_t = seat_h - cushion_t - leg_h + .015
    # carcass
    shapes.uphol((iw + .04, d - .06, base_t), .025, .004, (0, .0, leg_h + base_t / 2), mat=fab, seed=seed + 1,
        lump=.002)
    for s in (-1, 1):
        shapes.uphol((arm_w, d, arm_h - leg_h), arm_r, .010, (s * (w - arm_w) / 2, 0, leg_h + (arm_h - leg_h) / 2),
            mat=fab, seed=seed + 2 + s, lump=.004, piping=pipe)
    bh = h - leg_h - .02
    shapes.uphol((iw + .06 if arm_h < h - .05 else iw + .02, back_t, bh), .05, .010,
        (0, d / 2 - back_t / 2, leg_h + bh / 2), mat=fab, seed=seed + 5, lump=.004)
    # seat cushions
    sd = d - back_t - .005
    gap = .004
    sw = iw / seats
    for i in range(seats):
        x = -iw / 2 + sw * (i + .5)
        shapes.box_cushion((sw - gap, sd, cushion_t), fab, (x, -d / 2 + sd / 2 - .012, seat_h - cushion_t / 2),
            rot=(0, 0, rad(rng.uniform(-.25, .25))), seed=seed + i % 2, piping=pipe, crown=.015, pressure=5.,
            puff=.36 * soft, corner=.035)
    # back cushions
    top = h + .07
    bch = (top - seat_h) / math.cos(rad(lean)) - .01
    bt = .19
    y_base = d / 2 - back_t - bt * .60
    for i in range(seats):
        x = -iw / 2 + sw * (i + .5)
        ang = rad(90 - lean + rng.uniform(-.8, .8))
        cz = seat_h + .005 + bch / 2 * math.cos(rad(lean))
        cy = y_base - .02 + bch / 2 * math.sin(rad(lean)) * .5
        if back == 'tight':
            shapes.uphol((sw - gap, .14, bch), .06, .022, (x, cy + .03, cz), rot=(rad(-lean), 0, 0), mat=fab,
                seed=seed + i, lump=.004)
        elif back == 'pillow':
            shapes.box_cushion((sw - .012, bch, bt * .8), fab, (x, cy, cz),
                rot=(ang, rad(rng.uniform(-1, 1)), rad(rng.uniform(-1.2, 1.2))), seed=seed + 4 + i, piping=0, crown=.06,
                pressure=9., puff=1.0 * soft, corner=.06, shrink=-.03)
        else:
            shapes.box_cushion((sw - .008, bch, bt * .80), fab, (x, cy, cz),
                rot=(ang, rad(rng.uniform(-.5, .5)), rad(rng.uniform(-.6, .6))), seed=seed + 4 + i % 2, piping=pipe,
                crown=.04, pressure=6., puff=.62 * soft, corner=.045)
    # legs
    lm = leg_mat or materials.wood('oak', 'Z')
    lx, ly = w / 2 - .10, d / 2 - .09
    if legs == 'taper':
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.leg((sx * lx, sy * ly, leg_h + .01), (sx * (lx + .03), sy * (ly + .025), 0), .024, .014, lm)
        if w > 2.3:
            for sy in (-1, 1):
                shapes.leg((0, sy * ly, leg_h + .01), (0, sy * ly, 0), .022, .014, lm)
    elif legs == 'block':
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.rbox((.06, .06, leg_h + .01), .006, (sx * lx, sy * ly, leg_h / 2), mat=lm)
    elif legs == 'sled':
        for sx in (-1, 1):
            x = sx * lx
            pts = shapes.catmull([(x, -ly, leg_h), (x, -ly, .03), (x, -ly + .03, .008), (x, ly - .03, .008),
                (x, ly, .03), (x, ly, leg_h)], 6)
            shapes.tube(pts, .008, lm)
    elif legs == 'plinth':
        shapes.rbox((w - .16, d - .14, leg_h), .004, (0, 0, leg_h / 2), mat=lm)
    for x, size, cover, turn, shape in pillows:
        shapes.pillow(size, size, cover, (x, cy - bt * .5 - .145, seat_h + size * .47),
            (rad(-lean - 9), rad(rng.uniform(-4, 4)), rad(turn)), seed=shape, plump=.9)


def armchair(w=.74, d=.78, h=.80, seat_h=.41, wood='oak', fabric=None, arm_h=.58, frame_t=.034, seed=1):
    """Lounge chair: turned oak frame, loose seat and back cushions."""
    X, Y, Z = (materials.wood(wood, a) for a in 'XYZ')
    hw = w / 2 - frame_t / 2
    fy, by = -d / 2 + .06, d / 2 - .10
    for s in (-1, 1):
        x = s * hw
        shapes.leg((x, fy, arm_h - .012), (x + s * .008, fy - .025, 0), .018, .012, Z, swell=.004)
        shapes.leg((x, by, arm_h - .012), (x + s * .008, by + .075, 0), .018, .012, Z, swell=.004)
        # paddle arm, dished and tapering to the back
        path = shapes.catmull([(x, fy - .055, arm_h - .004), (x + s * .006, fy + .12, arm_h + .006),
            (x + s * .004, 0.05, arm_h + .002), (x, by + .05, arm_h - .012)], 8)
        shapes.sweep(path, shapes.rrect(.062, .022, .010), Y, scale=lambda t: (1.05 - .5 * t ** 1.5, 1 - .12 * t))
        # side rail
        shapes.sweep([(x, fy, seat_h - .115), (x, by, seat_h - .155)], shapes.rrect(.022, .052, .008), Y)
    shapes.sweep([(-hw, fy, seat_h - .115), (hw, fy, seat_h - .115)], shapes.rrect(.022, .052, .008), X)
    shapes.sweep([(-hw, by, seat_h - .155), (hw, by, seat_h - .155)], shapes.rrect(.022, .052, .008), X)
    lean = 17
    bz0, bz1 = seat_h - .10, h - .03
    for i in range(5):  # back slats
        x = -hw + .07 + (2 * hw - .14) * i / 4
        shapes.sweep([(x, by - .016, bz0 - .05), (x, by - .02 + (bz1 - bz0) * math.tan(rad(lean)), bz1)],
            shapes.rrect(.026, .012, .005), Z, up=(0, 1, 0))
    yt = by - .02 + (bz1 - bz0) * math.tan(rad(lean))
    shapes.sweep(shapes.catmull([(-hw + .085, yt - .010, bz1), (0, yt + .012, bz1 + .004), (hw - .085, yt - .010, bz1)],
        10), shapes.rrect(.024, .05, .010), X)
    sw = 2 * hw - .045
    sd = by - fy + .05
    tilt = rad(3.4)
    shapes.uphol((sw - .02, sd - .06, .03), .01, .002, (0, (fy + by) / 2, seat_h - .125), (-tilt, 0, 0), mat=fabric)
    shapes.box_cushion((sw, sd, .13), fabric, (0, (fy + by) / 2 - .03, seat_h - .045), (-tilt, 0, 0), seed=seed,
        crown=.026, pressure=5., puff=.32, corner=.035)
    bh = (h + .04 - seat_h) / math.cos(rad(lean))
    shapes.box_cushion((sw - .01, bh, .12), fabric,
        (0, by - .150 + bh * .5 * math.sin(rad(lean)), seat_h + .0 + bh / 2 * math.cos(rad(lean))),
        (rad(90 - lean), 0, 0), seed=seed + 3, crown=.03, pressure=6., puff=.4, corner=.045)


def ottoman(w=.62, h=.42, fabric=None):
    """Round footstool, piped at top and bottom, on a recessed base."""
    r = w / 2
    body = [(0, .03), (r * .92, .03), (r * .985, .05), (r, .10), (r * 1.01, h * .55), (r, h - .07),
        (r * .975, h - .025), (r * .90, h - .004), (r * .6, h + .008), (0, h + .012)]
    shapes.lathe(body, fabric, seg=128, wobble=.006, n=10)
    for z, radius in ((h - .028, r * .978), (.055, r * .987)):
        shapes.tube(shapes.around(120, radius, z), .0045, fabric, cyclic=True)
    shapes.lathe([(0, 0), (r * .8, 0), (r * .8, 0), (r * .8, .035)], materials.wood('black', 'X'), smooth=False)
