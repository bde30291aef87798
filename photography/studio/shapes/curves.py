"""Smooth lines and round rods."""
import math

import bpy
import numpy as np

from shapes.mesh import collection


def catmull(pts, n=8, cyclic=False):
    """Smooth a polyline (2D or 3D) with n steps from point to point."""
    P = [np.array(p, float) for p in pts]
    out = []
    m = len(P)
    for i in range(m if cyclic else m - 1):
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


def around(count, radius, z=0., turn=0.):
    """Points spaced evenly on a level circle; turn in radians."""
    angles = [turn + 2 * math.pi * i / count for i in range(count)]
    return [(radius * math.cos(a), radius * math.sin(a), z) for a in angles]


def oval(width, height, count=20):
    """The outline of an oval rod."""
    return [(x * width / 2, y * height / 2) for x, y, _ in around(count, 1.)]


def tubes(paths, radius, mat=None, res=3, name='tubes', loc=(0, 0, 0), rot=(0, 0, 0), cyclic=False):
    """Round rods along polylines, in one object."""
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions = '3D'
    curve.bevel_depth = radius
    curve.bevel_resolution = res
    curve.use_fill_caps = True
    for points in paths:
        spline = curve.splines.new('POLY')
        spline.points.add(len(points) - 1)
        weights = np.ones((len(points), 1), np.float32)
        spline.points.foreach_set('co', np.concatenate([np.asarray(points, np.float32), weights], 1).ravel())
        spline.use_cyclic_u = cyclic
        spline.use_smooth = True
    ob = bpy.data.objects.new(name, curve)
    ob.location, ob.rotation_euler = loc, rot
    collection().objects.link(ob)
    if mat:
        curve.materials.append(mat)
    return ob


def tube(points, radius, mat=None, cyclic=False, res=4, loc=(0, 0, 0), rot=(0, 0, 0)):
    """One round rod along a polyline."""
    return tubes([points], radius, mat, res, 'tube', loc, rot, cyclic)
