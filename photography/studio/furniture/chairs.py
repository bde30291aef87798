"""Dining chairs and stools."""
import math

import numpy as np

import materials
import shapes


def cord_seat(hw_f, hw_b, fy, by, z, mat, r=.0022, rail=.017, side=.012):
    """Paper-cord envelope weave: strands run from each rail to the diagonals."""
    paths = []
    cy = (fy + by) / 2
    half_d = (by - fy) / 2

    def strand(p_rail, inward, length, dip):
        """Over the rail and in to the seam."""
        p, v = np.array(p_rail, float), np.array(inward, float)
        out = [p - v * rail * 1.0 + np.array([0, 0, -rail * .6]), p - v * rail * 1.02 + np.array([0, 0, 0.]),
            p - v * rail * .70 + np.array([0, 0, rail * .72]), p + np.array([0, 0, rail * 1.02])]
        n = 5
        for k in range(1, n + 1):
            t = k / n
            q = p + v * length * t
            q[2] += rail * 1.02 - dip * (t ** 1.5)
            out.append(q)
        out.append(out[-1] + v * .002 + np.array([0, 0, -.006]))
        paths.append(out)
    pitch = r * 2.22  # a hair of shadow between strands
    nf = int((2 * hw_f) / pitch)
    for i in range(nf + 1):
        x = -hw_f + 2 * hw_f * (i + .5) / (nf + 1)
        t = min(1., (hw_f - abs(x)) / min(hw_f, half_d * 1.0))
        strand((x, fy, z), (0, 1, 0), max(.004, half_d * t), .012 * t)
    nb = int((2 * hw_b) / pitch)
    for i in range(nb + 1):
        x = -hw_b + 2 * hw_b * (i + .5) / (nb + 1)
        t = min(1., (hw_b - abs(x)) / min(hw_b, half_d))
        strand((x, by, z), (0, -1, 0), max(.004, half_d * t), .012 * t)
    ns = int((by - fy) / pitch)
    for s in (-1, 1):
        for i in range(ns + 1):
            y = fy + .014 + (by - fy - .028) * (i + .5) / (ns + 1)
            hw = hw_f + (hw_b - hw_f) * (y - fy) / (by - fy)
            t = min(1., (half_d - abs(y - cy)) / half_d)
            strand((s * (hw + side), y, z), (-s, 0, 0), max(.004, min(hw, half_d) * t + side), .012 * t)
    cords = shapes.tubes(paths, r, mat, res=2, name='cord')
    cords['envelope'] = (max(hw_f, hw_b) + side, half_d, cy, pitch)


def frame(fw, bw, fy, by, seat_h, front_top, back_top, woods):
    """Legs, rails, stretchers. fw, bw: half the legs' distance at the seat; back_top: how far back, and how high."""
    X, Y, Z = woods
    z = seat_h - .030
    rail, stretcher = shapes.oval(.027, .033), shapes.oval(.019, .019, 16)
    for s in (-1, 1):
        shapes.leg((s * fw, fy, front_top), (s * (fw + .018), fy - .018, 0), .0185, .0115, Z, swell=.0035)
        back, top = back_top
        path = shapes.catmull([(s * (bw + .018), by + .060, 0), (s * (bw + .004), by + .014, seat_h * .55),
            (s * bw, by, seat_h), (s * (bw + .004), by + .028, seat_h + .16), (s * (bw + .010), by + back, top)], 8)
        shapes.sweep(path, shapes.oval(.033, .033, 24), Z, up=(0, 1, 0),
            scale=lambda t: ((.72 + .42 * math.sin(math.pi * min(1, t * 1.05)) ** .8,) * 2))
        shapes.sweep([(s * fw, fy, z - .006), (s * bw, by, z - .006)], rail, Y)
        shapes.sweep([(s * (fw + .008), fy - .008, seat_h / 2), (s * (bw + .006), by + .018, seat_h / 2)], stretcher, Y)
    shapes.sweep([(-fw, fy, z), (fw, fy, z)], rail, X)
    shapes.sweep([(-bw, by, z), (bw, by, z)], rail, X)


def wooden_seat(fw, bw, fy, by, seat_h, wood):
    """A board dished for the sitter, its front edge eased."""

    def dished(u, v):
        x = (u - .5) * (2 * (fw + .022) + (2 * (bw - fw)) * v)
        y = fy - .03 + (by - fy + .055) * v
        dish = -.014 * math.exp(-((u - .5) / .33) ** 2 - ((v - .55) / .33) ** 2)
        edge = -.006 * max(0, (.12 - v) / .12) ** 2
        return (x, y, seat_h + .012 + dish + edge)

    shapes.surface(dished, 28, 28, wood, .022, sub=1, bevel=.006)


def chair_back(kind, bw, by, h, seat_h, woods, fabric):
    """Bent rails between the back legs; each is thinner towards its ends."""
    X, _, Z = woods

    def bent(z, set_back, beyond, steps):
        ends = [i / 6 - 1 for i in range(13)]
        return shapes.catmull([(t * (bw + .010 + beyond), by + set_back + .034 * (1 - t * t) - .002, z) for t in ends],
            steps)

    def ends(amount, power):
        return lambda t: (1, 1 - amount * abs(2 * t - 1) ** power)

    if kind in ('rail', 'double'):
        shapes.sweep(bent(h - .055, .059, .024, 4), shapes.rrect(.019, .098, .0092, 7), X, scale=ends(.52, 3.2))
    if kind == 'double':
        shapes.sweep(bent(h - .185, .045, -.004, 4), shapes.rrect(.016, .05, .0075, 7), X, scale=ends(.35, 3))
    elif kind == 'spindle':
        shapes.sweep(bent(h - .035, .067, .026, 4), shapes.rrect(.024, .042, .0105, 7), X, scale=ends(.4, 4))
        for i in range(7):
            t = (i - 3) / 3 * .78
            shapes.leg((t * bw, by + .065 + .034 * (1 - t * t), h - .045), (t * bw * .93, by + .002, seat_h - .01),
                .0062, .0072, Z, swell=.0018, seg=20)
    elif kind == 'panel':
        shapes.sweep(bent(h - .105, .045, .030, 6), shapes.rrect(.046, .20, .0225, 8), fabric or X,
            scale=lambda t: (1 - .55 * abs(2 * t - 1) ** 10, 1 - .16 * (abs(2 * t - 1) ** 4 + abs(2 * t - 1) ** 14)))


def chair(w=.50, d=.50, h=.78, seat_h=.45, wood='oak', seat='cord', fabric=None, back='rail', arms=False):
    """Dining chair. seat: cord | pad | wood; back: rail | double | spindle | panel."""
    X, Y, Z = (materials.wood(wood, axis) for axis in 'XYZ')
    fw, bw = w / 2 - .03, w / 2 - .055
    fy, by = -d / 2 + .045, d / 2 - .055
    front_top = seat_h + (.19 if arms else .012 if seat == 'cord' else -.012)
    back_top = (.050, h - .075) if back == 'panel' else (.075, h - .03)
    frame(fw, bw, fy, by, seat_h, front_top, back_top, (X, Y, Z))
    if seat == 'cord':
        cord_seat(fw - .012, bw - .012, fy, by, seat_h - .030, materials.cord(), rail=.0175)
    elif seat == 'pad':
        shapes.box_cushion((2 * fw + .035, by - fy + .055, .045), fabric, (0, (fy + by) / 2 - .008, seat_h + .010),
            crown=.016, pressure=2.5, puff=.5, corner=.06, piping=.0032, cell=.018)
        shapes.rbox((2 * fw - .01, by - fy + .01, .016), .006, (0, (fy + by) / 2, seat_h - .020), mat=X)
    else:
        wooden_seat(fw, bw, fy, by, seat_h, X)
    chair_back(back, bw, by, h, seat_h, (X, Y, Z), fabric)
    if arms:
        for s in (-1, 1):
            path = shapes.catmull([(s * (fw + .004), fy - .02, seat_h + .196),
                (s * (fw + .012), fy + .12, seat_h + .206), (s * (bw + .028), by - .06, seat_h + .205),
                (s * (bw + .008), by + .05, seat_h + .200)], 8)
            shapes.sweep(path, shapes.rrect(.046, .021, .0095), Y, scale=lambda t: (1 - .35 * t, 1))


def stool(r=.17, h=.45, wood='oak', legs=3):
    """A dished round seat on splayed legs, with a ring for the feet."""
    X, Z = materials.wood(wood, 'X'), materials.wood(wood, 'Z')
    shapes.lathe([(0, h - .032), (r - .02, h - .032), (r - .006, h - .028), (r, h - .014), (r - .003, h - .003),
        (r - .012, h), (r * .7, h - .004), (0, h - .008)], X, n=6)
    turn = math.pi / 2 / legs
    for top, foot in zip(shapes.around(legs, .72 * r, h - .02, turn), shapes.around(legs, 1.15 * r, 0, turn)):
        shapes.leg(top, foot, .016, .011, Z)
    shapes.tube(shapes.around(90, (.72 + .43 * .62) * r, h * .40), .0065, Z, cyclic=True, res=8)
