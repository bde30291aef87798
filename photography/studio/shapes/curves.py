"""Smooth lines and round rods."""
import bpy
import numpy as np

from shapes.mesh import collection


def catmull(pts, n=8, cyclic=False):
    """Smooth a polyline; points may carry a third 'sharp' flag in lathe profiles."""
    P = [np.array(p, float) for p in pts]
    out = []
    m = len(P)
    rng = range(m if cyclic else m - 1)
    for i in rng:
        p1, p2 = P[i], P[(i + 1) % m]
        p0 = P[i - 1] if (i > 0 or cyclic) else 2 * p1 - p2
        p3 = P[(i + 2) % m] if (i + 2 < m or cyclic) else 2 * p2 - p1
        for k in range(n):
            t = k / n
            out.append(.5 * ((2 * p1) + (-p0 + p2) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t
                + (-p0 + 3 * p1 - 3 * p2 + p3) * t ** 3))
    if not cyclic:
        out.append(P[-1])
    return np.array(out)


def tube(points, radius, mat=None, cyclic=False, res=4, loc=(0, 0, 0), rot=(0, 0, 0), smooth=True, name='tube',
        radii=None):
    """Round rod along a polyline (already dense or to be smoothed by the NURBS/Bezier curve)."""
    cu = bpy.data.curves.new(name, 'CURVE')
    cu.dimensions = '3D'
    cu.bevel_depth = radius
    cu.bevel_resolution = res
    cu.use_fill_caps = True
    sp = cu.splines.new('POLY')
    sp.points.add(len(points) - 1)
    for i, p in enumerate(points):
        sp.points[i].co = (*[float(x) for x in p], 1)
        if radii is not None:
            sp.points[i].radius = float(radii[i])
    sp.use_cyclic_u = cyclic
    sp.use_smooth = smooth
    ob = bpy.data.objects.new(name, cu)
    ob.location, ob.rotation_euler = loc, rot
    collection().objects.link(ob)
    if mat:
        cu.materials.append(mat)
    return ob


def tubes(paths, radius, mat=None, res=3, name='tubes', loc=(0, 0, 0), rot=(0, 0, 0)):
    """Many rods in one curve object (cord seats, fringes, stems)."""
    cu = bpy.data.curves.new(name, 'CURVE')
    cu.dimensions = '3D'
    cu.bevel_depth = radius
    cu.bevel_resolution = res
    cu.use_fill_caps = True
    for pts in paths:
        sp = cu.splines.new('POLY')
        sp.points.add(len(pts) - 1)
        sp.points.foreach_set('co', np.concatenate([np.asarray(pts, np.float32), np.ones((len(pts), 1), np.float32)],
            1).ravel())
        sp.use_smooth = True
    ob = bpy.data.objects.new(name, cu)
    ob.location, ob.rotation_euler = loc, rot
    collection().objects.link(ob)
    if mat:
        cu.materials.append(mat)
    return ob
