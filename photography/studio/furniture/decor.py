"""Vases, bowls, trays, candles, branches and books."""
import math
import random
from functools import partial

from mathutils import Vector

import materials
import shapes

VASES = {  # (r fraction of width/2, z fraction of height)
    'bottle': [(.62, 0), (.84, .03), (1., .20), (.94, .38), (.52, .56), (.28, .68), (.24, .84), (.27, .95), (.34, 1.)],
    'moon': [(.40, 0), (.62, .05), (.95, .28), (1., .48), (.86, .70), (.50, .88), (.30, .93), (.30, .97), (.36, 1.)],
    'tulip': [(.48, 0), (.56, .03), (.78, .20), (.96, .48), (1., .66), (.92, .84), (.80, .95), (.82, 1.)],
    'amphora': [(.42, 0), (.50, .03), (.78, .24), (1., .52), (.92, .70), (.58, .83), (.40, .90), (.42, .95), (.54, 1.)],
    'stack': [(.70, 0), (.86, .03), (1., .16), (.86, .29), (.60, .335), (.78, .38), (.86, .48), (.76, .59), (.50, .635),
              (.58, .68), (.62, .76), (.52, .86), (.34, .91), (.32, 1.)],
}


def vase(shape='moon', w=.20, h=.26, mat=None, wall=.006, wobble=.010, seed=1., loc=(0, 0, 0)):
    out = [(w / 2 * a, h * b) for a, b in VASES[shape]]
    lip = out[-1]
    inner = [(max(.002, a - wall), b) for a, b in reversed(out) if b > h * .08]
    foot = out[0][0]
    bottom = [(0, .002), (foot * .86, .002), (foot * .86, .002), (foot * .92, 0), (foot * .97, .001), (foot, .004)]
    rim = [lip, (lip[0] - wall * .25, h + wall * .42), (lip[0] - wall * .75, h + wall * .40), (inner[0][0], h - .002)]
    profile = bottom + out[1:-1] + rim + inner[1:] + [(0, h * .08)]
    return shapes.lathe(profile, mat or materials.ceramic(), loc, n=10, seg=144, wobble=wobble, seed=seed)


def bowl(w=.30, h=.09, mat=None, wall=.006, foot=.38, seed=1., loc=(0, 0, 0), power=.55, wobble=.008):
    R = w / 2
    prof = [(0, .004), (R * foot * .9, .004), (R * foot * .9, .004), (R * foot * .93, 0), (R * foot, .001),
        (R * foot * 1.01, .008)]
    for i in range(1, 9):
        t = i / 8
        prof.append((R * (foot + (1 - foot) * t ** power), .010 + (h - .010) * t))
    prof += [(R - wall * .5, h + wall * .45), (R - wall, h - .002)]
    for i in range(7, 0, -1):
        t = i / 8
        prof.append((R * (foot + (1 - foot) * t ** power) - wall, .010 + wall + (h - .010) * t))
    prof += [(R * foot * .6, .012 + wall * .5), (0, .011)]
    return shapes.lathe(prof, mat or materials.ceramic(), loc, n=6, seg=144, wobble=wobble, seed=seed)


def tray(w=.38, d=None, rim=.022, mat=None, wall=.008, handles=None, loc=(0, 0, 0), shape='round'):
    if shape == 'round':
        R = w / 2
        prof = [(0, 0), (R - .004, 0), (R - .001, .0015), (R, .004), (R, rim - .003), (R - wall * .3, rim),
            (R - wall * .7, rim), (R - wall, rim - .003), (R - wall, wall + .004), (R - wall - .004, wall), (0, wall)]
        shapes.lathe(prof, mat or materials.wood('oak', 'X'), loc, smooth=False, seg=160)
    else:
        d = d or w * .62
        rings = []
        for ins, z in ((.006, 0), (.0, .004), (0, rim - .002), (.002, rim), (wall - .002, rim), (wall, rim - .002),
                (wall + .001, wall + .003), (wall + .006, wall), (min(w, d) * .45, wall)):
            rr = max(.01, .075 - ins)
            ring = shapes.rrect(w - 2 * ins, d - 2 * ins, rr, 14)
            rings.append([(loc[0] + x, loc[1] + y, loc[2] + z) for x, y in ring])
        shapes.loft(rings, mat or materials.wood('oak', 'X'), autosmooth=40)
    if handles:
        L = .11
        for s in (-1, 1):
            x = s * (w / 2 - wall / 2)
            bow = [(-L / 2, -.004), (-L / 2 + .004, .022), (-L / 2 + .02, .030), (L / 2 - .02, .030),
                (L / 2 - .004, .022), (L / 2, -.004)]
            points = [(loc[0] + x, loc[1] + y, loc[2] + rim + up) for y, up in bow]
            shapes.tube(shapes.catmull(points, 8), .0042, handles, res=6)


def candle(r=.011, h=.22, loc=(0, 0, 0), taper=.78):
    m = materials.wax('#efe6d4')
    shapes.lathe([(0, 0), (r, 0), (r, 0), (r * (1 - .3 * (1 - taper)), h * .5), (r * taper, h - .010),
        (r * taper * .85, h - .003), (r * .35, h), (0, h + .001)], m, loc, smooth=False, seg=40)
    x, y, top = loc[0], loc[1], loc[2] + h
    wick = shapes.catmull([(x, y, top), (x + .0004, y, top + .006), (x + .0022, y, top + .011)], 4)
    shapes.tube(wick, .0007, materials.paint('#3a332c'))


def candle_holder(kind='stick', h=.16, mat=None, loc=(0, 0, 0), candle_h=.20):
    """A brass holder with a candle. kind: stick | ball"""
    m = mat or materials.metal('brass')
    x, y, z = loc
    if kind == 'stick':
        shapes.lathe([(0, 0), (.045, 0), (.045, 0), (.046, .003), (.044, .007), (.018, .012), (.0075, .022),
            (.006, h * .5), (.0075, h - .034), (.013, h - .028), (.0145, h - .025), (.0145, h), (.0145, h), (.0118, h),
            (.0118, h - .02), (0, h - .02)], m, loc, n=6, seg=72)
    else:
        r = h * .36
        shapes.lathe([(0, 0), (.038, 0), (.038, 0), (.039, .004), (.034, .009), (.016, .013), (.014, .02),
            (r, .02 + r * .98), (.014, .02 + 2 * r * .97), (.014, h - .024), (.0155, h - .02), (.0155, h), (.0155, h),
            (.0118, h), (.0118, h - .02), (0, h - .02)], m, loc, n=8, seg=72)
    candle(.0115, candle_h, (x, y, z + h - .02))


FOLIAGE = {  # leaf colours (face, back), length and half width in metres
    'olive': (('#76835f', '#a9b193'), (.030, .052), (.0045, .0065)),
    'eucalyptus': (('#8ea091', '#a5b3a6'), (.028, .046), (.011, .017)),
}


def stems(loc=(0, 0, 0), n=5, h=.55, spread=.22, kind='olive', seed=1, bare=0.):
    """Branches for a vase. kind: olive | eucalyptus; bare: no leaves up to that height above the foot."""
    rng = random.Random(seed)
    colours, leaf_length, leaf_width = FOLIAGE[kind]
    V, F, paths = [], [], []

    def add_leaf(p, dirn, L, W):
        d = Vector(dirn).normalized()
        side = d.cross(Vector((rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(.2, 1)))).normalized()
        up = side.cross(d)
        b = len(V)
        prof = ((0, .02), (.2, .62), (.45, 1.), (.75, .72), (1., .02))
        if kind == 'eucalyptus':
            prof = ((0, .1), (.18, .8), (.5, 1.), (.82, .78), (1., .12))
        bend = rng.uniform(.05, .25)
        for t, wv in prof:
            c = Vector(p) + d * (L * t) - Vector((0, 0, 1)) * (bend * L * t * t) + up * (.06 * L * math.sin(t * 3.1))
            V.append(tuple(c - side * (W * wv) + up * (W * .35 * wv)))
            V.append(tuple(c))
            V.append(tuple(c + side * (W * wv) + up * (W * .35 * wv)))
        for i in range(len(prof) - 1):
            k = b + 3 * i
            F.extend([(k, k + 1, k + 4, k + 3), (k + 1, k + 2, k + 5, k + 4)])

    def stem(p0, d0, L, depth, r):
        pts = [Vector(p0)]
        d = Vector(d0).normalized()
        steps = 12
        for _ in range(steps):
            drift = Vector((rng.uniform(-.10, .10), rng.uniform(-.10, .10), rng.uniform(-.09, .05)))
            d = (d + drift + Vector((d.x, d.y, 0)) * .03).normalized()
            pts.append(pts[-1] + d * (L / steps))
        paths.append(([tuple(p) for p in shapes.catmull([tuple(p) for p in pts], 3)], r))
        for i in range(2 if depth else 4, steps + 1):
            dd = (pts[i] - pts[i - 1]).normalized()
            for _ in range(2 if pts[i].z >= loc[2] + bare else 0):
                o = Vector((rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-.3, .7)))
                add_leaf(pts[i], dd * .8 + o, rng.uniform(*leaf_length), rng.uniform(*leaf_width))
            if depth < 1 and i > 3 and rng.random() < .40 and pts[i].z >= loc[2] + bare:
                o = Vector((rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0, .6)))
                stem(pts[i], dd + o * .8, L * rng.uniform(.22, .40), depth + 1, r * .6)
    for i in range(n):
        a = 2 * math.pi * (i + rng.uniform(-.3, .3)) / n
        s = rng.uniform(.4, 1.) * spread / h
        stem(loc, (math.cos(a) * s, math.sin(a) * s * .8, 1.), h * rng.uniform(.72, 1.08), 0, .0022)
    for r in sorted({r for _, r in paths}):
        shapes.tubes([p for p, q in paths if q == r], r, materials.paint('#6e5a45', .8), res=2)
    shapes.obj_from('leaves', V, F, materials.leaf(*colours))


def book(w, d, t, cover):
    """A closed book lying flat: two boards, a spine, a block of pages."""
    for z in (.0011, t - .0011):
        shapes.rbox((w, d, .0022), .0008, (0, 0, z), mat=cover)
    shapes.rbox((w - .008, d - .006, t - .004), .001, (.003, 0, t / 2), mat=materials.paint('#eee7da', .9))
    shapes.rbox((.003, d, t), .0012, (-w / 2 + .0015, 0, t / 2), mat=cover)


def books(loc=(0, 0, 0), items=((.24, .17, .028, '#d8cfc0'), (.22, .16, .022, '#8a5a44'), (.20, .15, .018, '#3f4a45')),
        seed=1):
    rng = random.Random(seed)
    z = loc[2]
    for w, d, t, c in items:
        turn = math.degrees(rng.uniform(-.12, .12))
        cov = materials.fabric(c, 'canvas')
        shapes.place(partial(book, w, d, t, cov), (loc[0], loc[1], z), turn)
        z += t
