"""Meshes with UV maps at real scale, and the collection that holds the product. Units are metres, Z is up."""
import math

import bpy
import numpy as np

PRODUCT = 'Product'


def collection(name=PRODUCT):
    c = bpy.data.collections.get(name)
    if not c:
        c = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(c)
    return c


def obj_from(name, verts, faces, mat=None, smooth=True, uv=None, loc=(0, 0, 0), rot=(0, 0, 0), autosmooth=None):
    me = bpy.data.meshes.new(name)
    me.from_pydata([tuple(v) for v in verts], [], [tuple(f) for f in faces])
    me.validate()
    if smooth:
        me.polygons.foreach_set('use_smooth', [True] * len(me.polygons))
    if autosmooth:
        me.use_auto_smooth = True
        me.auto_smooth_angle = math.radians(autosmooth)
    if uv is None:
        box_uv(me)
    else:
        set_uv(me, uv)
    ob = bpy.data.objects.new(name, me)
    ob.location, ob.rotation_euler = loc, rot
    collection().objects.link(ob)
    if mat:
        me.materials.append(mat)
    return ob


def subdivide(ob, levels):
    m = ob.modifiers.new('sub', 'SUBSURF')
    m.levels = m.render_levels = levels


def set_uv(me, per_vertex):
    layer = me.uv_layers.new(name='UV')
    li = np.empty(len(me.loops), np.int32)
    me.loops.foreach_get('vertex_index', li)
    layer.data.foreach_set('uv', np.asarray(per_vertex, np.float32)[li].ravel())


def box_uv(me, coords=None):
    """Box projection in metres; coords lets a deformed mesh keep its rest-pose mapping."""
    if not len(me.polygons):
        return
    nv = len(me.vertices)
    co = np.empty(nv * 3, np.float32)
    me.vertices.foreach_get('co', co)
    co = co.reshape(-1, 3) if coords is None else np.asarray(coords, np.float32)
    layer = me.uv_layers.get('UV') or me.uv_layers.new(name='UV')
    li = np.empty(len(me.loops), np.int32)
    me.loops.foreach_get('vertex_index', li)
    start = np.empty(len(me.polygons), np.int32)
    total = np.empty(len(me.polygons), np.int32)
    me.polygons.foreach_get('loop_start', start)
    me.polygons.foreach_get('loop_total', total)
    pid = np.repeat(np.arange(len(start)), total)
    nxt = np.arange(len(li)) + 1
    nxt[start + total - 1] = start
    q = co[li]
    n = np.zeros((len(start), 3))
    np.add.at(n, pid, np.cross(q, q[nxt]))
    ax = np.abs(n).argmax(1)[pid]
    k0, k1 = np.where(ax == 0, 1, 0), np.where(ax == 2, 1, 2)
    rows = np.arange(len(li))
    uv = np.stack([q[rows, k0], q[rows, k1]], 1).astype(np.float32) + ax[:, None] * 1.7
    layer.data.foreach_set('uv', uv.ravel())


def place(build, loc=(0, 0, 0), turn=0.):
    """Run build() and move everything that it made; turn in degrees round Z. How products get into a room."""
    before = set(collection().objects)
    build()
    root = bpy.data.objects.new('place', None)
    collection().objects.link(root)
    for ob in set(collection().objects) - before:
        if ob.parent is None and ob is not root:
            ob.parent = root
    root.location = loc
    root.rotation_euler = (0, 0, math.radians(turn))
    return root
