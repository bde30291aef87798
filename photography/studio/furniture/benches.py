"""Benches and low tables. Woods: X, Y and Z have their grain along that axis."""
import math

import materials
import shapes

CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def woods(species):
    return (materials.wood(species, axis) for axis in 'XYZ')


def splayed_legs(x, y, top, wood, splay=.05):
    for sx, sy in CORNERS:
        shapes.leg((sx * x, sy * y, top), (sx * (x + splay), sy * (y + splay * .55), 0), .021, .014, wood, swell=.002)


def slab_bench(w, d, h, wood):
    """A solid slab on splayed legs, with a rail between each pair."""
    X, Y, Z = woods(wood)
    x, y, t = w / 2 - .14, d / 2 - .07, .036
    shapes.sweep([(-w / 2, 0, h - t / 2), (-w / 2 + .001, 0, h - t / 2), (0, 0, h - t / 2), (w / 2, 0, h - t / 2)],
        shapes.rrect(d, t, .012, 6), X)
    splayed_legs(x, y, h - t + .004, Z)
    for sx in (-1, 1):
        shapes.sweep([(sx * x, -y - .03, h - t - .012), (sx * x, y + .03, h - t - .012)],
            shapes.rrect(.05, .026, .006), Y)


def padded_bench(w, d, h, wood, fabric, seed=3):
    """A piped cushion on a board with splayed legs."""
    X, _, Z = woods(wood)
    shapes.rbox((w, d, .028), .010, (0, 0, h - .075), mat=X)
    splayed_legs(w / 2 - .14, d / 2 - .07, h - .085, Z)
    shapes.box_cushion((w - .012, d - .012, .062), fabric, (0, 0, h - .030), seed=seed, crown=.014, pressure=3.,
        puff=.55, corner=.03, piping=.0038, cell=.022)


def slatted_bench(w, d, h, wood, slats=7, t=.026, gap=.012):
    """Slats across two trestles, tied by a stretcher."""
    X, Y, Z = woods(wood)
    slat = (d - gap * (slats - 1)) / slats
    for i in range(slats):
        shapes.rbox((w, slat, t), .006, (0, -d / 2 + slat / 2 + i * (slat + gap), h - t / 2), mat=X)
    x = w / 2 - .16
    for sx in (-1, 1):
        shapes.rbox((.045, d - .02, .03), .006, (sx * x, 0, h - t - .015), mat=Y)
    for sx, sy in CORNERS:
        shapes.sweep([(sx * x, sy * (d / 2 - .045), h - t - .01), (sx * (x + .02), sy * (d / 2 - .02), 0)],
            shapes.rrect(.034, .042, .010), Z, up=(0, 1, 0), scale=lambda q: (1 - .3 * q, 1 - .3 * q))
    shapes.sweep([(-x, 0, h - t - .05), (x, 0, h - t - .05)], shapes.rrect(.022, .05, .006), X)


def cord_bench(w=1.30, d=.38, h=.45, wood='oak'):
    """A frame with a stretcher and a seat of woven paper cord."""
    X, Y, Z = woods(wood)
    lx, ly, rz = w / 2 - .025, d / 2 - .025, h - .022
    for sx, sy in CORNERS:
        shapes.leg((sx * lx, sy * ly, h + .004), (sx * (lx + .004), sy * (ly + .004), 0), .0195, .0125, Z, swell=.003)
    for s in (-1, 1):
        shapes.sweep([(s * lx, -ly, rz), (s * lx, ly, rz)], shapes.rrect(.028, .034, .013), Y)
        shapes.sweep([(s * (lx + .002), -ly, h * .32), (s * (lx + .002), ly, h * .32)],
            shapes.rrect(.017, .022, .008), Y)
        shapes.sweep([(-lx, s * ly, rz), (lx, s * ly, rz)], shapes.rrect(.028, .034, .013), X)
    shapes.sweep([(-lx, 0, h * .32), (lx, 0, h * .32)], shapes.rrect(.017, .022, .008), X)
    basket_weave(lx, ly, rz)


def basket_weave(lx, ly, rz):
    """Cord over the rails of a frame: half its length and depth, and the height of its rails."""
    r, rail = .0023, .0185  # of the cord and of the rails that it goes round
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
    for i in range(n):  # weft
        y = -ly + .018 + (2 * ly - .036) * (i + .5) / n
        z = rz + rail - .0022 - .004 * math.sin(math.pi * (y + ly) / (2 * ly))
        over = [(rail * .9, -rail * .7), (rail, 0), (rail * .65, rail * .75), (0, rail - .001)]
        start = [(-lx - out, y, rz + up) for out, up in over]
        end = [(lx + out, y, rz + up) for out, up in reversed(over)]
        paths.append(start + [(-lx + 2 * lx * j / 40, y, z) for j in range(1, 40)] + end)
    cords = shapes.tubes(paths, r, materials.cord(), res=2, name='cord')
    cords['basket'] = (lx, ly, 0., 2.05 * r)


def table(w=1.0, d=None, h=.38, top='round', wood='oak', legs='taper', top_mat=None, t=.024):
    """top: round | pebble, d its depth if it is not round; legs: taper | drum | column."""
    d = d or w
    X, Y, Z = woods(wood)
    n = 128
    ring = []
    for i in range(n):
        a = 2 * math.pi * i / n
        e = 2. if top == 'round' else 2.6
        c, s = math.cos(a), math.sin(a)
        k = 1 + (.07 * math.sin(2 * a + .6) + .05 * math.cos(3 * a)) * (top == 'pebble')
        ring.append((math.copysign(abs(c) ** (2 / e), c) * w / 2 * k,
            math.copysign(abs(s) ** (2 / e), s) * d / 2 * k))
    rings = []
    for ins, z in ((.004, h - t), (.002, h - t), (.0, h - t + .006), (0, h - .006), (.002, h - .002), (.005, h),
            (.02, h)):
        rings.append([(x * (1 - ins / (w / 2)) * (1 if z > h - t * .9 else .985),
            y * (1 - ins / (d / 2)) * (1 if z > h - t * .9 else .985), z) for x, y in ring])
    shapes.loft(rings, top_mat or X, autosmooth=35)
    if legs == 'taper':
        x, y = w / 2 * .66, d / 2 * .66
        for sx, sy in CORNERS:
            shapes.leg((sx * x, sy * y, h - t + .004), (sx * w / 2 * .72, sy * d / 2 * .72, 0), .021, .013, Z,
                swell=.002)
        for sx in (-1, 1):
            shapes.sweep([(sx * x, -y, h - t - .014), (sx * x, y, h - t - .014)], shapes.rrect(.026, .03, .008), Y)
    elif legs == 'drum':
        r = min(w, d) * .30
        n = max(18, int(2 * math.pi * r / .030))  # half-round staves
        stave = math.pi * r / n * 1.02
        for x, y, _ in shapes.around(n, r):
            shapes.leg((x, y, h - t + .002), (x, y, 0), stave, stave, Z, seg=20, foot=.0015)
        shapes.lathe([(0, .004), (r, .004), (r, .004), (r, h - t)], materials.paint('#2a201a', .9), smooth=False)
    elif legs == 'column':
        r = min(w, d) * .36
        shapes.lathe([(0, 0), (r, 0), (r, 0), (r, .008), (r * .985, .012), (r * .5, .018), (.03, .03), (.022, .06),
            (.020, h * .5), (.022, h - t - .05), (.045, h - t - .01), (.07, h - t), (0, h - t)],
            materials.metal('black'), n=8)
