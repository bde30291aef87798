"""Foam blocks, and cushions whose covers are inflated by the cloth solver."""
import hashlib
import json
import math
import os
import random

import bpy
import numpy as np
from mathutils import Vector, noise

from shapes.curves import tube
from shapes.mesh import box_uv, obj_from, subdivide
from shapes.solids import rrect

CACHE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'cache')  # solved cushions


def lattice(nx, ny, nz):
    """Surface points of a box lattice and its quads (outward)."""
    idx, pts = {}, []

    def vid(i, j, k):
        key = (i, j, k)
        if key not in idx:
            idx[key] = len(pts)
            pts.append(key)
        return idx[key]
    F = []
    for i in range(nx):
        for j in range(ny):
            F.append((vid(i, j, 0), vid(i, j + 1, 0), vid(i + 1, j + 1, 0), vid(i + 1, j, 0)))
            F.append((vid(i, j, nz), vid(i + 1, j, nz), vid(i + 1, j + 1, nz), vid(i, j + 1, nz)))
    for i in range(nx):
        for k in range(nz):
            F.append((vid(i, 0, k), vid(i + 1, 0, k), vid(i + 1, 0, k + 1), vid(i, 0, k + 1)))
            F.append((vid(i, ny, k), vid(i, ny, k + 1), vid(i + 1, ny, k + 1), vid(i + 1, ny, k)))
    for j in range(ny):
        for k in range(nz):
            F.append((vid(0, j, k), vid(0, j, k + 1), vid(0, j + 1, k + 1), vid(0, j + 1, k)))
            F.append((vid(nx, j, k), vid(nx, j + 1, k), vid(nx, j + 1, k + 1), vid(nx, j, k + 1)))
    return np.array(pts, float), F, idx


def ring_loop(nx, ny, k, idx):
    """Vertex ids around the border of lattice level k."""
    loop = [(i, 0) for i in range(nx)] + [(nx, j) for j in range(ny)]
    loop += [(i, ny) for i in range(nx, 0, -1)] + [(0, j) for j in range(ny, 0, -1)]
    return [idx[(i, j, k)] for i, j in loop]


def fbm(p, scale, seed=0., octaves=3):
    return noise.fractal(Vector((p[0] * scale + seed, p[1] * scale + seed * .37, p[2] * scale - seed * .71)), 1., 2.,
        octaves)


def uphol(size, radius=.035, crown=.008, loc=(0, 0, 0), rot=(0, 0, 0), mat=None, cell=.025, lump=.003, seed=1.,
        piping=None):
    """Upholstered foam block: rounded box, slightly domed faces, faint lumps; loc is the centre.

    piping: the radius of a cord round the front face."""
    size = np.array(size, float)
    nx, ny, nz = (max(4, int(round(s / cell))) for s in size)
    P, F, idx = lattice(nx, ny, nz)
    T = P / np.array([nx, ny, nz])
    T -= .055 * np.sin(2 * np.pi * T)  # more lattice lines near the edges
    rest = (T - .5) * size
    r = min(radius, size.min() * .48)
    inner = np.clip(rest, -(size / 2 - r), size / 2 - r)
    d = rest - inner
    ln = np.linalg.norm(d, axis=1, keepdims=True)
    dirn = np.where(ln > 1e-9, d / np.maximum(ln, 1e-9), 0)
    out = inner + dirn * r
    s = 2 * T - 1
    for ax in range(3):
        o = [a for a in range(3) if a != ax]
        m = (1 - s[:, o[0]] ** 4) * (1 - s[:, o[1]] ** 4)
        out[:, ax] += np.sign(s[:, ax]) * np.abs(s[:, ax]) ** 6 * m * crown
    if lump:
        for i in range(len(out)):
            out[i] += dirn[i] * lump * (fbm(out[i], 6., seed) + .5 * fbm(out[i], 17., seed + 9))
    ob = obj_from('foam', out, F, mat, loc=loc, rot=rot)
    box_uv(ob.data, rest)
    subdivide(ob, 1)
    if piping:
        tube(front_edge(size, r), piping, mat, cyclic=True, loc=loc, rot=rot)
    return ob


def front_edge(size, r):
    """Closed loop round the front face, at the middle of the rounding."""
    k = r * (1 - math.sqrt(.5))
    hx, hz, rr = size[0] / 2 - k, size[2] / 2 - k, r * .9
    return [(x, k - size[1] / 2, z) for x, z in rrect(2 * hx, 2 * hz, rr, 6)]


def _key(kind, **kw):
    return kind + '-' + hashlib.sha1(json.dumps(kw, sort_keys=True).encode()).hexdigest()[:12]


def simulate(ob, frames, **cloth):
    """Run Blender's cloth solver on ob, weightless, and return where its vertices end."""
    sc = bpy.context.scene
    old = sc.gravity.copy()
    sc.gravity = (0, 0, 0)
    m = ob.modifiers.new('cloth', 'CLOTH')
    s, c = m.settings, m.collision_settings
    for k, v in cloth.items():
        setattr(c if hasattr(c, k) and not hasattr(s, k) else s, k, v)
    m.point_cache.frame_start, m.point_cache.frame_end = 1, frames
    sc.frame_start, sc.frame_end = 1, frames
    for f in range(1, frames + 1):
        sc.frame_set(f)
    dg = bpy.context.evaluated_depsgraph_get()
    ev = ob.evaluated_get(dg)
    me = ev.to_mesh()
    co = np.empty(len(me.vertices) * 3, np.float32)
    me.vertices.foreach_get('co', co)
    ev.to_mesh_clear()
    ob.modifiers.remove(m)
    sc.frame_set(1)
    sc.gravity = old
    return co.reshape(-1, 3)


def cached(key, solve):
    os.makedirs(CACHE, exist_ok=True)
    p = os.path.join(CACHE, key + '.npy')
    if os.path.exists(p):
        return np.load(p)
    result = solve().astype(np.float32)
    np.save(p, result)
    return result


def box_cushion(size, mat=None, loc=(0, 0, 0), rot=(0, 0, 0), pressure=6., puff=1., shrink=-.015, corner=.04, cell=.022,
        seed=1, piping=.0045, crown=.02, frames=26):
    """Seat or back cushion: a sewn box inflated by the cloth solver, so that it domes and puckers along its seams.

    pressure: of the solver; puff: how much of its result is laid over the plain dome; crown: the dome's height."""
    w, d, h = size
    nx, ny, nz = (max(4, int(round(s / cell))) for s in size)
    P, F, idx = lattice(nx, ny, nz)
    T = P / np.array([nx, ny, nz])
    s = 2 * T - 1
    rest = s * np.array(size) / 2
    # round the plan corners
    hx, hy = w / 2, d / 2
    r = corner
    q = np.clip(rest[:, :2], [-(hx - r), -(hy - r)], [hx - r, hy - r])
    dv = rest[:, :2] - q
    inf = np.abs(dv).max(axis=1)
    ln = np.linalg.norm(dv, axis=1)
    sc = np.where(ln > 1e-9, inf / np.maximum(ln, 1e-9), 1)
    rest[:, :2] = q + dv * sc[:, None]
    rng = random.Random(seed)
    key = _key('box', size=[round(x, 4) for x in size], p=pressure, sh=shrink, c=corner, cell=cell, f=frames, seed=seed,
        cr=crown)

    def run():
        start = rest.copy()
        m = (1 - s[:, 0] ** 2) * (1 - s[:, 1] ** 2)
        start[:, 2] += np.sign(s[:, 2]) * np.abs(s[:, 2]) ** 3 * m * crown
        for i in range(len(start)):
            start[i] += np.array(noise.noise_vector(Vector(start[i] * 9 + seed * 3.1))) * .0025
        ob = obj_from('sim', start, F)
        co = simulate(ob, frames, use_pressure=True, uniform_pressure_force=pressure,
            tension_stiffness=22, compression_stiffness=12, shear_stiffness=8, bending_stiffness=.35, mass=.35,
            quality=7, air_damping=4, shrink_min=shrink, shrink_max=shrink, use_collision=False)
        bpy.data.objects.remove(ob)
        return co
    sim = cached(key, run)
    base = rest.copy()  # foam core: a plain dome; the simulated cover is blended over it
    base[:, 2] += np.sign(s[:, 2]) * np.abs(s[:, 2]) ** 3 * (1 - s[:, 0] ** 4) * (1 - s[:, 1] ** 4) * crown
    border = np.abs(s[:, :2]).max(1) > .99
    wgt = np.where(np.abs(s[:, 2]) > .99, np.where(border, .45, 1.), .30) * puff  # calm side walls, lively faces
    co = base + (sim - base) * wgt[:, None]
    # hand-made irregularity
    for i in range(len(co)):
        co[i, 2] += .0035 * fbm(rest[i], 4.5, seed * 5.3) * (1 if abs(s[i, 2]) > .5 else .3)
    ob = obj_from('cushion', co, F, mat, loc=loc, rot=rot)
    box_uv(ob.data, rest + rng.random())
    subdivide(ob, 2)
    if piping:
        for k in (0, nz):
            loop = ring_loop(nx, ny, k, idx)
            pts = co[loop]
            for _ in range(2):
                pts = .5 * pts + .25 * (np.roll(pts, 1, 0) + np.roll(pts, -1, 0))
            cen = co.mean(0)
            dirn = pts - cen
            dirn /= np.linalg.norm(dirn, axis=1, keepdims=True)
            tube(pts + dirn * .0015, piping, mat, cyclic=True, loc=loc, rot=rot)
    return ob


def pillow(w=.48, h=.48, mat=None, loc=(0, 0, 0), rot=(0, 0, 0), pressure=5., seed=1, cell=.016, shrink=-.0, frames=34,
        plump=1.):
    """Scatter cushion: two panels sewn at the border and inflated. Lies in XZ facing -Y before rot."""
    nx, nz = int(w / cell), int(h / cell)
    V = []
    front, back = {}, {}
    for i in range(nx + 1):
        for k in range(nz + 1):
            x, z = (i / nx - .5) * w, (k / nz - .5) * h
            edge = i in (0, nx) or k in (0, nz)
            u, v = 2 * i / nx - 1, 2 * k / nz - 1
            # pull the middle of each side in a touch so corners read as ears
            x *= 1 - .035 * (1 - v * v) * abs(u)
            z *= 1 - .035 * (1 - u * u) * abs(v)
            b = (1 - u ** 2) * (1 - v ** 2)
            front[i, k] = len(V)
            V.append((x, -.004 - .04 * b, z))
            if edge:
                back[i, k] = front[i, k]
                V[-1] = (x, 0, z)
            else:
                back[i, k] = len(V)
                V.append((x, .004 + .04 * b, z))
    F = []
    for i in range(nx):
        for k in range(nz):
            F.append((front[i, k], front[i + 1, k], front[i + 1, k + 1], front[i, k + 1]))
            F.append((back[i, k], back[i, k + 1], back[i + 1, k + 1], back[i + 1, k]))
    V = np.array(V)
    rest = V.copy()
    rest[:, 1] = np.sign(rest[:, 1]) * .01
    key = _key('pillow', w=w, h=h, p=pressure, c=cell, s=shrink, f=frames, seed=seed)

    def run():
        st = V.copy()
        for i in range(len(st)):
            st[i] += np.array(noise.noise_vector(Vector(st[i] * 8 + seed * 7.7))) * .004
        ob = obj_from('sim', st, F)
        co = simulate(ob, frames, use_pressure=True, uniform_pressure_force=pressure,
            tension_stiffness=12, compression_stiffness=6, shear_stiffness=4, bending_stiffness=.08, mass=.25,
            quality=8, air_damping=3, shrink_min=shrink, shrink_max=shrink, use_collision=False)
        bpy.data.objects.remove(ob)
        return co
    co = cached(key, run).copy()
    co[:, 1] *= plump
    co[:, [0, 2]] = .5 * co[:, [0, 2]] + .5 * V[:, [0, 2]]  # calmer outline, softer ears
    ob = obj_from('pillow', co, F, mat, loc=loc, rot=rot)
    box_uv(ob.data, rest + seed * .37)
    subdivide(ob, 2)
    return ob
