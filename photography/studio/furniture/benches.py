"""Benches and low tables."""
import math

import materials
import shapes


def bench(w=1.30, d=.38, h=.45, kind='solid', wood='oak', fabric=None, seed=3):
    """kind: solid (slab + splayed legs) | pad (upholstered) | slat | cord | trestle"""
    X, Y, Z = (materials.wood(wood, a) for a in 'XYZ')
    lx, ly = w / 2 - .14, d / 2 - .07

    def legs(top, r=.021, rb=.014, splay=.05, axis=Z):
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.leg((sx * lx, sy * ly, top), (sx * (lx + splay), sy * (ly + splay * .55), 0), r, rb, axis,
                    swell=.002)
    if kind == 'solid':
        t = .036
        shapes.sweep([(-w / 2, 0, h - t / 2), (-w / 2 + .001, 0, h - t / 2), (0, 0, h - t / 2), (w / 2, 0, h - t / 2)],
            shapes.rrect(d, t, .012, 6), X)
        legs(h - t + .004)
        for sx in (-1, 1):
            shapes.sweep([(sx * lx, -ly - .03, h - t - .012), (sx * lx, ly + .03, h - t - .012)],
                shapes.rrect(.05, .026, .006), Y)
    elif kind == 'pad':
        t = .028
        shapes.rbox((w, d, t), .010, (0, 0, h - .075), mat=X)
        legs(h - .085)
        shapes.box_cushion((w - .012, d - .012, .062), fabric, (0, 0, h - .030), seed=seed, crown=.014, pressure=3.,
            puff=.55, corner=.03, piping=.0038, cell=.022)
    elif kind == 'slat':
        n, t, g = 7, .026, .012
        sw = (d - g * (n - 1)) / n
        for i in range(n):
            y = -d / 2 + sw / 2 + i * (sw + g)
            shapes.rbox((w, sw, t), .006, (0, y, h - t / 2), mat=X)
        for sx in (-1, 1):
            x = sx * (w / 2 - .16)
            shapes.rbox((.045, d - .02, .03), .006, (x, 0, h - t - .015), mat=Y)
            for sy in (-1, 1):
                shapes.sweep([(x, sy * (d / 2 - .045), h - t - .01), (x + sx * .02, sy * (d / 2 - .02), 0)],
                    shapes.rrect(.034, .042, .010), Z, up=(0, 1, 0), scale=lambda q: (1 - .3 * q, 1 - .3 * q))
        shapes.sweep([(-w / 2 + .16, 0, h - t - .05), (w / 2 - .16, 0, h - t - .05)], shapes.rrect(.022, .05, .006), X)
    elif kind == 'cord':
        lx, ly = w / 2 - .025, d / 2 - .025
        rz = h - .022
        for sx in (-1, 1):
            for sy in (-1, 1):
                shapes.leg((sx * lx, sy * ly, h + .004), (sx * (lx + .004), sy * (ly + .004), 0), .0195, .0125, Z,
                    swell=.003)
            shapes.sweep([(sx * lx, -ly, rz), (sx * lx, ly, rz)], shapes.rrect(.028, .034, .013), Y)
            shapes.sweep([(sx * (lx + .002), -ly, h * .32), (sx * (lx + .002), ly, h * .32)],
                shapes.rrect(.017, .022, .008), Y)
        for sy in (-1, 1):
            shapes.sweep([(-lx, sy * ly, rz), (lx, sy * ly, rz)], shapes.rrect(.028, .034, .013), X)
        shapes.sweep([(-lx, 0, h * .32), (lx, 0, h * .32)], shapes.rrect(.017, .022, .008), X)
        mat = materials.cord()
        r, rail = .0023, .0185
        paths = []
        n = int((2 * ly - .036) / (2.05 * r))
        m = int((2 * lx - .036) / (2.05 * r))
        for i in range(m):  # warp: over front and back rail
            x = -lx + .018 + (2 * lx - .036) * (i + .5) / m
            blk = (i // 6) % 2
            out = [(x, -ly - rail * .9, rz - rail * .7), (x, -ly - rail, rz), (x, -ly - rail * .65, rz + rail * .75),
                (x, -ly, rz + rail)]
            k = 26
            for j in range(1, k):
                y = -ly + 2 * ly * j / k
                ph = int((y + ly) / (12 * r)) % 2
                out.append((x, y, rz + rail - .004 * math.sin(math.pi * j / k) + (.0014 if (ph ^ blk) else -.0026)))
            out += [(x, ly, rz + rail), (x, ly + rail * .65, rz + rail * .75), (x, ly + rail, rz),
                (x, ly + rail * .9, rz - rail * .7)]
            paths.append(out)
        for i in range(n):
            y = -ly + .018 + (2 * ly - .036) * (i + .5) / n
            z = rz + rail - .0022 - .004 * math.sin(math.pi * (y + ly) / (2 * ly))
            paths.append([(-lx - rail * .9, y, rz - rail * .7), (-lx - rail, y, rz),
                (-lx - rail * .65, y, rz + rail * .75), (-lx, y, rz + rail - .001)] + [(-lx + 2 * lx * j / 40, y, z)
                for j in range(1, 40)] + [(lx, y, rz + rail - .001), (lx + rail * .65, y, rz + rail * .75),
                (lx + rail, y, rz), (lx + rail * .9, y, rz - rail * .7)])
        shapes.tubes(paths, r, mat, res=2, name='cord')
    elif kind == 'trestle':
        t = .034
        shapes.rbox((w, d, t), .012, (0, 0, h - t / 2), mat=X, seg=6)
        for sx in (-1, 1):
            shapes.rbox((.045, d - .05, h - t), .010, (sx * (w / 2 - .17), 0, (h - t) / 2), mat=Z, seg=6)
        shapes.rbox((w - .36, .035, .07), .008, (0, 0, h - t - .07), mat=X)


def table(w=1.0, d=None, h=.38, top='round', wood='oak', legs='taper', top_mat=None, t=.024, leg_mat=None):
    """Coffee, side and dining tables. top: round | oval | rect | pebble; legs: taper | cross | drum | column."""
    d = d or w
    X, Z = materials.wood(wood, 'X'), leg_mat or materials.wood(wood, 'Z')
    tm = top_mat or X
    if top == 'rect':
        shapes.rbox((w, d, t), .009, (0, 0, h - t / 2), mat=tm, seg=6)
    else:
        n = 128
        ring = []
        for i in range(n):
            a = 2 * math.pi * i / n
            e = 2. if top in ('round', 'oval') else 2.6
            c, s = math.cos(a), math.sin(a)
            k = 1 + (.07 * math.sin(2 * a + .6) + .05 * math.cos(3 * a)) * (top == 'pebble')
            ring.append((math.copysign(abs(c) ** (2 / e), c) * w / 2 * k,
                math.copysign(abs(s) ** (2 / e), s) * d / 2 * k))
        rings = []
        for ins, z in ((.004, h - t), (.002, h - t), (.0, h - t + .006), (0, h - .006), (.002, h - .002), (.005, h),
                (.02, h)):
            rings.append([(x * (1 - ins / (w / 2)) * (1 if z > h - t * .9 else .985),
                y * (1 - ins / (d / 2)) * (1 if z > h - t * .9 else .985), z) for x, y in ring])
        shapes.loft(rings, tm, autosmooth=35)
    if legs == 'taper':
        for sx in (-1, 1):
            for sy in (-1, 1):
                k = .66 if top != 'rect' else .84
                shapes.leg((sx * w / 2 * k, sy * d / 2 * k, h - t + .004),
                    (sx * w / 2 * (k + .06), sy * d / 2 * (k + .06), 0), .021, .013, Z, swell=.002)
        for sx in (-1, 1):
            k = .66 if top != 'rect' else .84
            shapes.sweep([(sx * w / 2 * k, -d / 2 * k, h - t - .014), (sx * w / 2 * k, d / 2 * k, h - t - .014)],
                shapes.rrect(.026, .03, .008), materials.wood(wood, 'Y'))
    elif legs == 'drum':
        r = min(w, d) * .30
        n = max(18, int(2 * math.pi * r / .030))  # half-round staves
        for i in range(n):
            a = 2 * math.pi * i / n
            shapes.leg((r * math.cos(a), r * math.sin(a), h - t + .002), (r * math.cos(a), r * math.sin(a), 0),
                math.pi * r / n * 1.02, math.pi * r / n * 1.02, Z, seg=20, foot=.0015)
        shapes.lathe([(0, .004), (r, .004), (r, .004), (r, h - t)], materials.paint('#2a201a', .9), smooth=False)
    elif legs == 'column':
        r = min(w, d) * .36
        shapes.lathe([(0, 0), (r, 0), (r, 0), (r, .008), (r * .985, .012), (r * .5, .018), (.03, .03), (.022, .06),
            (.020, h * .5), (.022, h - t - .05), (.045, h - t - .01), (.07, h - t), (0, h - t)],
            leg_mat or materials.metal('black'), n=8)
