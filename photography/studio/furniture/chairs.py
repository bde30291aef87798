"""Dining chairs and stools."""
import math
from math import radians as rad

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
        out = []
        for a in (-100, -60, -20, 20, 60, 90):
            t = rad(a)
            out.append(p + v * (rail * (math.sin(t))) + np.array([0, 0, rail * math.cos(t)]))
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
    shapes.tubes(paths, r, mat, res=2, name='cord')


def chair(w=.50, d=.50, h=.78, seat_h=.45, wood='oak', seat='cord', fabric=None, back='rail', arms=False, seed=1,
        cord_mat=None):
    """Dining chair. seat: cord | pad | wood; back: rail | double | spindle | panel."""
    X, Y, Z = (materials.wood(wood, a) for a in 'XYZ')
    fw, bw = w / 2 - .03, w / 2 - .055  # leg centres at seat height, front and back
    fy, by = -d / 2 + .045, d / 2 - .055
    rz = seat_h - .030  # rail centre
    for s in (-1, 1):
        shapes.leg((s * fw, fy, seat_h + (.19 if arms else .012 if seat == 'cord' else -.012)),
            (s * (fw + .018), fy - .018, 0), .0185, .0115, Z, swell=.0035)
        path = shapes.catmull([(s * (bw + .018), by + .060, 0), (s * (bw + .004), by + .014, seat_h * .55),
            (s * bw, by, seat_h), (s * (bw + .004), by + .028, seat_h + .16),
            (s * (bw + .010), by + (.075 if back != 'panel' else .050), h - (.03 if back != 'panel' else .075))], 8)
        ring = [(.0165 * math.cos(a), .0165 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 24, endpoint=False)]
        shapes.sweep(path, ring, Z, up=(0, 1, 0),
            scale=lambda t: ((.72 + .42 * math.sin(math.pi * min(1, t * 1.05)) ** .8,) * 2))
        # side rails + stretcher
        shapes.sweep([(s * fw, fy, rz - .006), (s * bw, by, rz - .006)],
            [(.0135 * math.cos(a), .0165 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 20, endpoint=False)], Y)
        shapes.sweep([(s * (fw + .008), fy - .008, seat_h * .50), (s * (bw + .006), by + .018, seat_h * .50)],
            [(.0095 * math.cos(a), .0095 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 16, endpoint=False)], Y)
    oval = [(.0135 * math.cos(a), .0165 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 20, endpoint=False)]
    shapes.sweep([(-fw, fy, rz), (fw, fy, rz)], oval, X)
    shapes.sweep([(-bw, by, rz), (bw, by, rz)], oval, X)
    # seat
    if seat == 'cord':
        cord_seat(fw - .012, bw - .012, fy, by, rz, cord_mat or materials.cord(), rail=.0175)
    elif seat == 'pad':
        shapes.box_cushion((2 * fw + .035, by - fy + .055, .045), fabric, (0, (fy + by) / 2 - .008, seat_h + .010),
            seed=seed, crown=.016, pressure=2.5, puff=.5, corner=.06, piping=.0032, cell=.018)
        shapes.rbox((2 * fw - .01, by - fy + .01, .016), .006, (0, (fy + by) / 2, seat_h - .020), mat=X)
    else:
        def dished(u, v):
            x = (u - .5) * (2 * (fw + .022) + (2 * (bw - fw)) * v)
            y = fy - .03 + (by - fy + .055) * v
            dish = -.014 * math.exp(-((u - .5) / .33) ** 2 - ((v - .55) / .33) ** 2)
            edge = -.006 * max(0, (.12 - v) / .12) ** 2
            return (x, y, seat_h + .012 + dish + edge)
        shapes.surface(dished, 28, 28, X, .022, sub=1, bevel=.006)
    # back

    def arc(z, dy, ext=.0, bulge=.034):
        n = 13
        out = []
        for i in range(n):
            t = i / (n - 1) * 2 - 1
            out.append((t * (bw + .010 + ext), by + dy + bulge * (1 - t * t) - .002, z))
        return out
    yb = .075
    if back in ('rail', 'double'):
        hh = .098
        path = shapes.catmull(arc(h - .055, yb - .016, .024), 4)
        s2 = shapes.rrect(.019, hh, .0092, 7)
        shapes.sweep(path, s2, X, scale=lambda t: (1, 1 - .52 * abs(2 * t - 1) ** 3.2))
        if back == 'double':
            shapes.sweep(shapes.catmull(arc(h - .185, .045, -.004), 4), shapes.rrect(.016, .05, .0075, 7), X,
                scale=lambda t: (1, 1 - .35 * abs(2 * t - 1) ** 3))
    elif back == 'spindle':
        path = shapes.catmull(arc(h - .035, yb - .008, .026), 4)
        shapes.sweep(path, shapes.rrect(.024, .042, .0105, 7), X, scale=lambda t: (1, 1 - .4 * abs(2 * t - 1) ** 4))
        for i in range(7):
            t = (i - 3) / 3 * .78
            x = t * bw
            shapes.leg((x, by + yb - .010 + .034 * (1 - t * t), h - .045), (x * .93, by + .002, seat_h - .01), .0062,
                .0072, Z, swell=.0018, seg=20)
    elif back == 'panel':
        path = shapes.catmull(arc(h - .105, yb - .030, .030), 6)
        s2 = shapes.rrect(.046, .20, .0225, 8)
        shapes.sweep(path, s2, fabric or X,
            scale=lambda t: (1 - .55 * abs(2 * t - 1) ** 10,
            1 - .16 * abs(2 * t - 1) ** 4 - .16 * abs(2 * t - 1) ** 14))
    if arms:
        for s in (-1, 1):
            pts = shapes.catmull([(s * (fw + .004), fy - .02, seat_h + .196),
                (s * (fw + .012), fy + .12, seat_h + .206), (s * (bw + .028), by - .06, seat_h + .205),
                (s * (bw + .008), by + .05, seat_h + .200)], 8)
            shapes.sweep(pts, shapes.rrect(.046, .021, .0095), Y, scale=lambda t: (1 - .35 * t, 1))


def stool(r=.17, h=.45, wood='oak', seat='wood', fabric=None, legs=3):
    X, Z = materials.wood(wood, 'X'), materials.wood(wood, 'Z')
    if seat == 'wood':
        shapes.lathe([(0, h - .032), (r - .02, h - .032), (r - .006, h - .028), (r, h - .014), (r - .003, h - .003),
            (r - .012, h), (r * .7, h - .004), (0, h - .008)], X, n=6)
    else:
        shapes.lathe([(0, h - .05), (r - .01, h - .05), (r, h - .035), (r, h - .018), (r - .012, h), (r * .6, h + .012),
            (0, h + .015)], fabric, n=8)
    for i in range(legs):
        a = 2 * math.pi * (i + .25) / legs
        shapes.leg((.72 * r * math.cos(a), .72 * r * math.sin(a), h - .02),
            (1.15 * r * math.cos(a), 1.15 * r * math.sin(a), 0), .016, .011, Z)
    z = h * .40
    rr = (.72 + .43 * .62) * r
    shapes.tube([(rr * math.cos(a), rr * math.sin(a), z) for a in np.linspace(0, 2 * math.pi, 90, endpoint=False)],
        .0065, materials.metal('brass') if legs == 4 else Z, cyclic=True, res=8)
