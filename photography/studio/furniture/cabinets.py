"""Wardrobes, sideboards and bedside tables."""
import math
from math import radians as rad

import materials
import shapes


def fluted(w, h, n, depth, mat, loc):
    """Panel of convex vertical flutes facing -Y."""
    per = 10
    V, F, uv = [], [], []
    cols = n * per + 1
    for i in range(cols):
        x = (i / (cols - 1) - .5) * w
        f = (i % per) / per
        y = -depth * math.sqrt(max(0., 1 - (2 * f - 1) ** 2)) if i % per else 0
        for z in (-h / 2, h / 2):
            V.append((x, y, z))
            uv.append((x, z))
    for i in range(cols - 1):
        F.append((2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1))
    return shapes.obj_from('flutes', V, F, mat, uv=uv, loc=loc, autosmooth=60)


def cabinet(w=1.50, d=.58, h=2.05, columns=((('door', 1.),), (('door', 1.),), (('door', 1.),)), wood='oak',
        body=None, front=None, leg='plinth', leg_h=.07, handle='knob', t=.022, gap=.0035):
    """Wardrobes, sideboards, bedside tables.

    columns: for each column, from the top, (kind, share of the height).
    kind: door | drawer | open | fluted | cane | frame; leg: plinth | taper | metal | frame; handle: knob | bar | none."""
    bx, by_, bz = (body or materials.wood(wood, a) for a in 'XYZ')
    fz, fx = front or materials.wood(wood, 'Z'), front or materials.wood(wood, 'X')
    hm = materials.metal('brass')
    z0 = leg_h
    H = h - leg_h
    for s in (-1, 1):
        shapes.rbox((t, d, H), .0025, (s * (w - t) / 2, 0, z0 + H / 2), mat=bz)
    shapes.rbox((w - 2 * t, d, t), .0025, (0, 0, h - t / 2), mat=bx)
    shapes.rbox((w - 2 * t, d - .002, t), .0025, (0, 0, z0 + t / 2), mat=bx)
    shapes.rbox((w - 2 * t, .008, H - 2 * t), 0, (0, d / 2 - .012, z0 + H / 2), mat=bx)
    iw, ih = w - 2 * t, H - 2 * t
    n = len(columns)
    cw = iw / n
    ft = .020
    fy = -d / 2 + ft / 2 + .002
    # dark interior so gaps read as real
    shapes.rbox((iw - .001, d - .08, ih - .001), 0, (0, .02, z0 + H / 2),
        mat=materials.paint('#2b241d', .9)) if all(k != 'open' and k != 'cane' for c in columns for k, _ in c) else None
    for ci, col in enumerate(columns):
        cx = -iw / 2 + cw * (ci + .5)
        if ci:
            shapes.rbox((.018, d - .03, ih), .001, (-iw / 2 + cw * ci, .012, z0 + H / 2), mat=bz)
        zt = z0 + t + ih
        for ki, (kind, share) in enumerate(col):
            ph = ih * share
            cz = zt - ph / 2
            pw, pht = cw - gap, ph - gap
            if kind == 'open':
                if ki < len(col) - 1:
                    shapes.rbox((cw - .018, d - .03, .018), .001, (cx, .012, zt - ph), mat=bx)
                shapes.rbox((cw - .02, .006, ph - .01), 0, (cx, d / 2 - .02, cz), mat=bx)
                zt -= ph
                continue
            if kind in ('door', 'drawer'):
                shapes.rbox((pw, ft, pht), .0022, (cx, fy, cz), mat=fx if kind == 'drawer' else fz)
            elif kind == 'fluted':
                shapes.rbox((pw, ft * .6, pht), .001, (cx, fy + ft * .2, cz), mat=fz)
                fluted(pw - .001, pht, max(4, int(round(pw / .021))), .0085, fz, (cx, fy - ft * .12, cz))
            elif kind in ('cane', 'frame'):
                st = .052
                for s in (-1, 1):
                    shapes.rbox((st, ft, pht), .002, (cx + s * (pw - st) / 2, fy, cz), mat=fz)
                    shapes.rbox((pw - 2 * st, ft, st), .002, (cx, fy, cz + s * (pht - st) / 2), mat=fx)
                if kind == 'cane':
                    shapes.rbox((pw - 2 * st + .004, .0015, pht - 2 * st + .004), 0, (cx, fy + .002, cz),
                        mat=materials.cane())
                    shapes.rbox((pw - .01, .004, pht - .01), 0, (cx, fy + .10, cz), mat=materials.paint('#4a3b2c', .9))
                else:
                    shapes.rbox((pw - 2 * st + .004, .008, pht - 2 * st + .004), .001, (cx, fy + .004, cz), mat=fz)
            # handles
            yf = fy - ft / 2 - (.006 if kind == 'fluted' else 0)
            if handle == 'knob':
                prof = [(0, 0), (.006, 0), (.006, 0), (.0055, .012), (.009, .017), (.0135, .021), (.0145, .026),
                    (.012, .030), (0, .031)]
                if kind == 'drawer':
                    shapes.lathe(prof, hm, (cx, yf, cz), (rad(90), 0, 0), seg=48, n=5)
                else:
                    side = 1 if ci % 2 == 0 else -1
                    if ci == n - 1 and n % 2 == 1:
                        side = -1
                    shapes.lathe(prof, hm, (cx + side * (pw / 2 - .034), yf, z0 + H * (.5 if h > 1.2 else .62)),
                        (rad(90), 0, 0), seg=48, n=5)
            elif handle == 'bar':
                L = .22 if kind != 'drawer' else min(.16, pw * .5)
                if kind == 'drawer':
                    a, b = (cx - L / 2, cz), (cx + L / 2, cz)
                else:
                    side = 1 if ci % 2 == 0 else -1
                    if ci == n - 1 and n % 2 == 1:
                        side = -1
                    x = cx + side * (pw / 2 - .034)
                    zc = z0 + H * .5 if h > 1.2 else cz
                    a, b = (x, zc - L / 2), (x, zc + L / 2)
                y1 = yf - .026
                shapes.tube(shapes.catmull([(a[0], yf, a[1]), (a[0], y1 + .004, a[1]),
                    (a[0] + (b[0] - a[0]) * .03, y1, a[1] + (b[1] - a[1]) * .03),
                    (b[0] - (b[0] - a[0]) * .03, y1, b[1] - (b[1] - a[1]) * .03), (b[0], y1 + .004, b[1]),
                    (b[0], yf, b[1])], 6), .0048, hm, res=6)
            zt -= ph
    if leg == 'plinth':
        shapes.rbox((w - .02, d - .05, leg_h), .001, (0, .015, leg_h / 2), mat=bx)
    elif leg == 'taper':
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.leg((sx * (w / 2 - .09), sy * (d / 2 - .07), leg_h + .004),
                    (sx * (w / 2 - .07), sy * (d / 2 - .055), 0), .020, .012, materials.wood(wood, 'Z'))
    elif leg == 'metal':
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.rbox((.022, .022, leg_h), .002, (sx * (w / 2 - .05), sy * (d / 2 - .05), leg_h / 2),
                    mat=materials.metal('black'))
    elif leg == 'frame':
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.sweep([(sx * (w / 2 - .028), sy * (d / 2 - .028), leg_h),
                    (sx * (w / 2 - .028), sy * (d / 2 - .028), 0)], shapes.rrect(.042, .042, .008),
                    materials.wood(wood, 'Z'), up=(0, 1, 0), scale=lambda q: (1 - .3 * q,) * 2)
