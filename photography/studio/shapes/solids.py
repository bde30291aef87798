"""Boxes, turned, lofted and swept shapes, sheets."""
import math

import bmesh
import bpy
from mathutils import Vector, noise

from shapes.curves import catmull
from shapes.mesh import box_uv, collection, obj_from, subdivide


def rbox(size, bevel=.004, loc=(0, 0, 0), rot=(0, 0, 0), mat=None, seg=4, name='box'):
    """Box with bevelled edges; loc is the centre."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    for v in bm.verts:
        v.co = Vector((v.co.x * size[0], v.co.y * size[1], v.co.z * size[2]))
    bevel = min(bevel, min(size) * .49)
    if bevel > 0:
        bmesh.ops.bevel(bm, geom=bm.edges[:], offset=bevel, segments=seg, profile=.5, affect='EDGES',
            clamp_overlap=True)
    me = bpy.data.meshes.new(name)
    bm.to_mesh(me)
    bm.free()
    me.polygons.foreach_set('use_smooth', [True] * len(me.polygons))
    me.use_auto_smooth = True
    me.auto_smooth_angle = math.radians(50)
    box_uv(me)
    ob = bpy.data.objects.new(name, me)
    ob.location, ob.rotation_euler = loc, rot
    collection().objects.link(ob)
    m = ob.modifiers.new('wn', 'WEIGHTED_NORMAL')
    m.keep_sharp = True
    if mat:
        me.materials.append(mat)
    return ob


def lathe(profile, mat=None, loc=(0, 0, 0), rot=(0, 0, 0), seg=96, smooth=True, n=8, name='lathe', wobble=0.,
        seed=1.):
    """Revolve [(r, z), ...] around Z. Repeat a point to make a sharp edge. wobble = hand-thrown irregularity."""
    pts, run = [], [profile[0]]
    for p in profile[1:]:
        if p == run[-1]:
            pts.extend(catmull(run, n) if smooth and len(run) > 1 else run)
            run = [p]
        else:
            run.append(p)
    pts.extend(catmull(run, n) if smooth and len(run) > 1 else run)
    pts = [(max(0., float(p[0])), float(p[1])) for p in pts]
    V, uv = [], []
    length = 0.
    for i, (r, z) in enumerate(pts):
        if i:
            length += math.hypot(r - pts[i - 1][0], z - pts[i - 1][1])
        for k in range(seg + 1):
            a = 2 * math.pi * k / seg
            x, y = r * math.cos(a), r * math.sin(a)
            if wobble:
                aa = a if k < seg else 0.
                f = noise.noise(Vector((math.cos(aa) * 1.3 + seed, math.sin(aa) * 1.3, z * 9.)))
                x *= 1 + wobble * f
                y *= 1 + wobble * f
            V.append((x, y, z))
            uv.append((a * max(.05, max(p[0] for p in pts)), length))
    F = []
    for i in range(len(pts) - 1):
        for k in range(seg):
            a, b = i * (seg + 1) + k, i * (seg + 1) + k + 1
            F.append((a, b, b + seg + 1, a + seg + 1))
    ob = obj_from(name, V, F, None, uv=uv, loc=loc, rot=rot, autosmooth=38)
    bm = bmesh.new()
    bm.from_mesh(ob.data)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(ob.data)
    bm.free()
    if mat:
        ob.data.materials.append(mat)
    return ob


def loft(rings, mat=None, cap=True, loc=(0, 0, 0), rot=(0, 0, 0), name='loft', autosmooth=45):
    """Skin a list of closed rings (equal point count)."""
    k = len(rings[0])
    V = [p for r in rings for p in r]
    F = []
    m = len(rings)
    for i in range(m - 1):
        for j in range(k):
            a, b = i * k + j, i * k + (j + 1) % k
            c, d = (i + 1) * k + (j + 1) % k, (i + 1) * k + j
            F.append((a, b, c, d))
    if cap:
        F.append(tuple(range(k - 1, -1, -1)))
        F.append(tuple((m - 1) * k + j for j in range(k)))
    ob = obj_from(name, V, F, mat, loc=loc, rot=rot, autosmooth=autosmooth)
    bm = bmesh.new()
    bm.from_mesh(ob.data)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(ob.data)
    bm.free()
    return ob


def rrect(w, h, r, n=5):
    """Rounded rectangle as 2D points."""
    r = min(r, w * .499, h * .499)
    pts = []
    for cx, cy, a0 in ((w / 2 - r, h / 2 - r, 0), (-w / 2 + r, h / 2 - r, 90), (-w / 2 + r, -h / 2 + r, 180),
            (w / 2 - r, -h / 2 + r, 270)):
        for t in range(n + 1):
            a = math.radians(a0 + 90 * t / n)
            pts.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return pts


def sweep(path, section, mat=None, up=(0, 0, 1), scale=None, cap=True, name='sweep', twist=None, **kw):
    """Sweep 2D section [(x, y)] along a path; section x -> sideways, y -> up. scale(t) -> (sx, sy)."""
    P = [Vector(p) for p in path]
    up = Vector(up)
    rings = []
    for i, p in enumerate(P):
        t = (P[min(i + 1, len(P) - 1)] - P[max(i - 1, 0)]).normalized()
        side = t.cross(up).normalized()
        u2 = side.cross(t).normalized()
        f = i / (len(P) - 1)
        sx, sy = scale(f) if scale else (1, 1)
        tw = twist(f) if twist else 0
        ct, st = math.cos(tw), math.sin(tw)
        rings.append([tuple(p + side * ((x * ct - y * st) * sx) + u2 * ((x * st + y * ct) * sy)) for x, y in section])
    return loft(rings, mat, cap, name=name, **kw)


def leg(p_top, p_bot, r_top, r_bot, mat=None, seg=40, swell=.0, foot=.003, name='leg', power=1.):
    """Turned tapered leg between two points, grain along its own Z."""
    a, b = Vector(p_top), Vector(p_bot)
    L = (a - b).length
    prof = [(0, 0), (r_bot - foot, 0), (r_bot - foot, 0), (r_bot - foot * .3, foot * .3), (r_bot, foot)]
    for i in range(1, 13):
        t = i / 12
        prof.append((r_bot + (r_top - r_bot) * t ** power + swell * math.sin(math.pi * t), foot + (L - foot) * t))
    prof += [prof[-1], (0, L)]
    q = Vector((0, 0, 1)).rotation_difference((a - b).normalized())
    ob = lathe(prof, mat, loc=b, seg=seg, smooth=False, name=name)
    ob.rotation_euler = q.to_euler()
    return ob


def surface(fn, nu, nv, mat=None, thickness=.012, sub=1, name='shell', bevel=0., offset=-1.):
    """Sheet z = fn(u, v) -> (x, y, z) for u, v in 0..1, thickened."""
    V = [fn(i / nu, j / nv) for i in range(nu + 1) for j in range(nv + 1)]
    F = [(i * (nv + 1) + j, (i + 1) * (nv + 1) + j, (i + 1) * (nv + 1) + j + 1, i * (nv + 1) + j + 1) for i in range(nu)
        for j in range(nv)]
    uv = []
    for i in range(nu + 1):
        for j in range(nv + 1):
            uv.append((i / nu * .5, j / nv * .5))
    ob = obj_from(name, V, F, mat, uv=uv)
    if thickness:
        solid = ob.modifiers.new('solid', 'SOLIDIFY')
        solid.thickness, solid.offset = thickness, offset
    if bevel:
        edge = ob.modifiers.new('bevel', 'BEVEL')
        edge.width, edge.segments, edge.limit_method, edge.angle_limit = bevel, 3, 'ANGLE', math.radians(50)
    if sub:
        subdivide(ob, sub)
    return ob
