"""Wardrobes, sideboards and bedside tables."""
import math
from math import radians as rad

import materials
import shapes

FRONT = .020  # thickness of doors and drawer fronts
STILE = .052  # width of a framed door's members
KNOB = [(0, 0), (.006, 0), (.006, 0), (.0055, .012), (.009, .017), (.0135, .021), (.0145, .026), (.012, .030),
        (0, .031)]


def fluted(w, h, count, depth, mat, loc):
    """Panel of convex vertical flutes facing -Y."""
    steps = 10  # in one flute
    V, F, uv = [], [], []
    columns = count * steps + 1
    for i in range(columns):
        x = (i / (columns - 1) - .5) * w
        f = (i % steps) / steps
        y = -depth * math.sqrt(max(0., 1 - (2 * f - 1) ** 2)) if i % steps else 0
        for z in (-h / 2, h / 2):
            V.append((x, y, z))
            uv.append((x, z))
    for i in range(columns - 1):
        F.append((2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1))
    shapes.obj_from('flutes', V, F, mat, uv=uv, loc=loc, autosmooth=60)


def panel(kind, w, h, x, y, z, along, across):
    """A door or drawer front, centred on (x, y, z); along and across: its wood with upright and level grain."""
    if kind == 'door':
        shapes.rbox((w, FRONT, h), .0022, (x, y, z), mat=along)
    elif kind == 'drawer':
        shapes.rbox((w, FRONT, h), .0022, (x, y, z), mat=across)
    elif kind == 'fluted':
        shapes.rbox((w, FRONT * .6, h), .001, (x, y + FRONT * .2, z), mat=along)
        fluted(w - .001, h, max(4, round(w / .021)), .0085, along, (x, y - FRONT * .12, z))
    else:  # framed, with cane or a plain panel
        inner_w, inner_h = w - 2 * STILE, h - 2 * STILE
        for s in (-1, 1):
            shapes.rbox((STILE, FRONT, h), .002, (x + s * (w - STILE) / 2, y, z), mat=along)
            shapes.rbox((inner_w, FRONT, STILE), .002, (x, y, z + s * (h - STILE) / 2), mat=across)
        if kind == 'cane':
            shapes.rbox((inner_w + .004, .0015, inner_h + .004), 0, (x, y + .002, z), mat=materials.cane())
            shapes.rbox((w - .01, .004, h - .01), 0, (x, y + .10, z), mat=materials.paint('#4a3b2c', .9))
        else:
            shapes.rbox((inner_w + .004, .008, inner_h + .004), .001, (x, y + .004, z), mat=along)


def bar_handle(start, end, y):
    """A bowed rod between two (x, z) places on the front."""
    (x0, z0), (x1, z1) = start, end
    dx, dz, out = (x1 - x0) * .03, (z1 - z0) * .03, y - .026
    shapes.tube(shapes.catmull([(x0, y, z0), (x0, out + .004, z0), (x0 + dx, out, z0 + dz), (x1 - dx, out, z1 - dz),
        (x1, out + .004, z1), (x1, y, z1)], 6), .0048, materials.metal('brass'), res=6)


def feet(leg, w, d, leg_h, wood, level):
    """plinth | taper | metal | frame"""
    if leg == 'plinth':
        shapes.rbox((w - .02, d - .05, leg_h), .001, (0, .015, leg_h / 2), mat=level)
        return
    upright = materials.wood(wood, 'Z')
    for sx, sy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        if leg == 'taper':
            shapes.leg((sx * (w / 2 - .09), sy * (d / 2 - .07), leg_h + .004),
                (sx * (w / 2 - .07), sy * (d / 2 - .055), 0), .020, .012, upright)
        elif leg == 'metal':
            shapes.rbox((.022, .022, leg_h), .002, (sx * (w / 2 - .05), sy * (d / 2 - .05), leg_h / 2),
                mat=materials.metal('black'))
        else:
            x, y = sx * (w / 2 - .028), sy * (d / 2 - .028)
            shapes.sweep([(x, y, leg_h), (x, y, 0)], shapes.rrect(.042, .042, .008), upright, up=(0, 1, 0),
                scale=lambda q: (1 - .3 * q, 1 - .3 * q))


def cabinet(w=1.50, d=.58, h=2.05, columns=((('door', 1.),), (('door', 1.),), (('door', 1.),)), wood='oak', body=None,
        leg='plinth', leg_h=.07, handle='knob', t=.022, gap=.0035):
    """columns: for each column, from the top, (kind, share of the height); kind: door | drawer | open | fluted | cane |
    frame. leg: see feet; handle: knob | bar | none. body: a material instead of wood; t: thickness of the carcass."""
    level, upright = body or materials.wood(wood, 'X'), body or materials.wood(wood, 'Z')
    inner_w, inner_h = w - 2 * t, h - leg_h - 2 * t
    middle = leg_h + (h - leg_h) / 2
    for s in (-1, 1):
        shapes.rbox((t, d, h - leg_h), .0025, (s * (w - t) / 2, 0, middle), mat=upright)
    shapes.rbox((inner_w, d, t), .0025, (0, 0, h - t / 2), mat=level)
    shapes.rbox((inner_w, d - .002, t), .0025, (0, 0, leg_h + t / 2), mat=level)
    shapes.rbox((inner_w, .008, inner_h), 0, (0, d / 2 - .012, middle), mat=level)
    kinds = {kind for column in columns for kind, _ in column}
    if not kinds & {'open', 'cane'}:  # a dark inside, so that gaps read as real
        shapes.rbox((inner_w - .001, d - .08, inner_h - .001), 0, (0, .02, middle), mat=materials.paint('#2b241d', .9))

    count = len(columns)
    column_w = inner_w / count
    front = -d / 2 + FRONT / 2 + .002
    for i, column in enumerate(columns):
        x = -inner_w / 2 + column_w * (i + .5)
        if i:
            shapes.rbox((.018, d - .03, inner_h), .001, (x - column_w / 2, .012, middle), mat=upright)
        opens = -1 if i % 2 or (i == count - 1 and count % 2) else 1  # the side of the handle
        knob_x = x + opens * ((column_w - gap) / 2 - .034)
        top = leg_h + t + inner_h
        for k, (kind, share) in enumerate(column):
            height = inner_h * share
            z = top - height / 2
            top -= height
            if kind == 'open':
                if k < len(column) - 1:
                    shapes.rbox((column_w - .018, d - .03, .018), .001, (x, .012, top), mat=level)
                shapes.rbox((column_w - .02, .006, height - .01), 0, (x, d / 2 - .02, z), mat=level)
                continue
            panel(kind, column_w - gap, height - gap, x, front, z, upright, level)
            y = front - FRONT / 2 - (.006 if kind == 'fluted' else 0)
            if handle == 'knob':
                place = (x, y, z) if kind == 'drawer' else (knob_x, y, leg_h + (h - leg_h) * (.5 if h > 1.2 else .62))
                shapes.lathe(KNOB, materials.metal('brass'), place, (rad(90), 0, 0), seg=48, n=5)
            elif handle == 'bar' and kind == 'drawer':
                half = min(.16, (column_w - gap) * .5) / 2
                bar_handle((x - half, z), (x + half, z), y)
            elif handle == 'bar':
                centre = middle if h > 1.2 else z
                bar_handle((knob_x, centre - .11), (knob_x, centre + .11), y)
    feet(leg, w, d, leg_h, wood, level)
