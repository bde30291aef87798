"""A product as one light mesh: built with fewer segments, reduced, freed of what nobody can see, unfolded into one atlas."""
import math
import os

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

import materials
import shapes
import shapes.solids

TRIANGLES = 9_000
FEWER = {'lamp': 5_000, 'floorlamp': 5_000, 'decor': 4_500, 'tray': 4_500, 'nightstand': 6_000, 'chair': 11_000}
ATLAS = 'Atlas'
WEAVE = 'UV'  # the map in metres that cloth is drawn by
HANDLES = 'metal-brass'  # of these families: furniture is measured without its handles
WITH_HANDLES = ('wardrobe', 'cabinet', 'nightstand')
OUTER = ('Width', 'Depth', 'Height', 'Diameter')  # what a shape is stretched to
CLOSE = .006  # metres; a shape that is so near its measurements stays as it is
MOST = .065  # no shape is stretched by more than this share
SEE_THROUGH = ('glass', 'opal', 'emit', 'shade', 'cane')
RODS = .004  # rods thinner than this are square: their normals make them look round
WOVEN = ('envelope', 'basket')  # cords that say how they are woven
SHEET, SWELL = .0035, 1.7  # how fine a sheet of cords is, in metres; how much its cords swell, to leave no gap
LARGE = .02  # square metres; a larger face may show through a gap between doors, so it stays


def coarsen():
    """Let shapes build with as many segments as a shopper can see on a screen: once, before the first product."""
    box, turned = shapes.solids.rbox, shapes.solids.lathe

    def plain_box(size, bevel=.004, *args, **more):
        return box(size, bevel, *args, **{**more, 'seg': 1 if bevel < .006 else 2})

    def plain_lathe(profile, *args, **more):
        radius = max(r for r, _ in profile)
        most = 14 if radius < .03 else 28 if radius < .08 else 48
        return turned(profile, *args, **{**more, 'seg': min(most, more.get('seg', 96)), 'n': max(3, more.get('n', 8) // 2)})

    shapes.rbox = shapes.solids.rbox = plain_box
    shapes.lathe = shapes.solids.lathe = plain_lathe


def evaluated(ob, graph):
    """The object's mesh with its modifiers, in its own coordinates, and its random number as shaders see it."""
    return bpy.data.meshes.new_from_object(ob.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph)


def random_numbers(graph):
    return {i.object.name: i.random_id / 0xffffffff for i in graph.object_instances if not i.is_instance}


def lighten(ob):
    """Fewer segments for a rod, one step less of smoothing for a cushion."""
    if ob.type == 'CURVE':
        thin = ob.data.bevel_depth < RODS
        ob.data.bevel_resolution = 0 if thin else min(1, ob.data.bevel_resolution)
    for modifier in ob.modifiers:
        if modifier.type == 'SUBSURF':
            modifier.levels = modifier.render_levels = max(1, modifier.render_levels - 1)


def solid(ob, graph, rand):
    """A plain object that looks like this one, and remembers for its shaders where it was and which one."""
    mesh = evaluated(ob, graph)
    if mesh.has_custom_normals:
        mesh.free_normals_split()
    if mesh.uv_layers:
        mesh.uv_layers[0].name = WEAVE
    copy = bpy.data.objects.new(ob.name, mesh)
    copy.matrix_world = ob.matrix_world
    copy['rand'] = rand
    bpy.context.scene.collection.objects.link(copy)
    return copy


def as_sheet(ob, kind):
    """One sheet instead of hundreds of cords, which leave holes when they are reduced; its surface draws them."""
    ob.data.bevel_depth *= SWELL
    for name, more in (('REMESH', {'mode': 'VOXEL', 'voxel_size': SHEET, 'use_smooth_shade': True}), ('SMOOTH', {'iterations': 14})):
        modifier = ob.modifiers.new(name, name)
        for field, value in more.items():
            setattr(modifier, field, value)
    ob.data.materials.clear()
    ob.data.materials.append(materials.woven(kind, *ob[kind]))


def triangles(mesh):
    return sum(len(p.vertices) - 2 for p in mesh.polygons)


def budgets(objects, total):
    """How many triangles each object may keep: more for larger ones and for those that have more shape."""
    counts = np.array([triangles(ob.data) for ob in objects], float)
    areas = np.array([sum(p.area for p in ob.data.polygons) for ob in objects])
    weights = np.sqrt(counts) * areas ** .25 + 1e-9
    low, high = 0., 1e9
    for _ in range(80):
        middle = (low + high) / 2
        if np.minimum(counts, np.maximum(60, middle * weights)).sum() > total:
            high = middle
        else:
            low = middle
    return counts, np.minimum(counts, np.maximum(60, low * weights))


def reduce(objects, total):
    """Collapse edges until all together have so many triangles, then lean the normals to the large faces."""
    for ob, count, budget in zip(objects, *budgets(objects, total)):
        if budget < count * .98:
            fewer = ob.modifiers.new('fewer', 'DECIMATE')
            fewer.ratio = budget / count
        if ob.data.use_auto_smooth:
            ob.modifiers.new('normals', 'WEIGHTED_NORMAL').keep_sharp = True
    graph = bpy.context.evaluated_depsgraph_get()
    for ob in objects:
        mesh = evaluated(ob, graph)
        ob.modifiers.clear()
        ob.data = mesh
        remember(ob)


def remember(ob):
    """Note on every vertex what the shaders ask of the object, which is lost when objects are joined."""
    mesh = ob.data
    co = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get('co', co)
    mesh.attributes.new('obj_co', 'FLOAT_VECTOR', 'POINT').data.foreach_set('vector', co)
    mesh.attributes.new('obj_rand', 'FLOAT', 'POINT').data.foreach_set('value', np.full(len(mesh.vertices), ob['rand'], np.float32))


def join(objects):
    bpy.ops.object.select_all(action='DESELECT')
    for ob in objects:
        ob.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]
    bpy.ops.object.join()
    ob = bpy.context.view_layer.objects.active
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    return ob


def directions(count=28):
    """Spread evenly over the sphere."""
    golden = math.pi * (3 - math.sqrt(5))
    zs = [1 - 2 * (i + .5) / count for i in range(count)]
    return [Vector((math.sqrt(1 - z * z) * math.cos(golden * i), math.sqrt(1 - z * z) * math.sin(golden * i), z))
        for i, z in enumerate(zs)]


def is_seen(tree, corners, normal, rays):
    """Whether light from outside reaches any of a face's points, on either side of it."""
    middle = sum(corners, Vector()) / len(corners)
    for point in [middle, *(middle.lerp(c, .85) for c in corners)]:
        for ray in rays:
            side = 1 if ray.dot(normal) > 0 else -1
            if tree.ray_cast(point + normal * (side * 2e-4), ray)[0] is None:
                return True
    return False


def hide_inside(ob):
    """Remove the faces that no eye outside can see: ends within joints, cushions' undersides, the back of a panel."""
    mesh = ob.data
    names = [m.name for m in mesh.materials]
    opaque = [not name.startswith(SEE_THROUGH) for name in names]
    verts = [v.co for v in mesh.vertices]
    tree = BVHTree.FromPolygons(verts, [tuple(p.vertices) for p in mesh.polygons if opaque[p.material_index]])
    rays = directions()
    seen = [is_seen(tree, [verts[i] for i in p.vertices], p.normal, rays) for p in mesh.polygons]
    # Those beside a face that is seen stay too: they may show through a gap that no ray found.
    beside = {v for p, is_open in zip(mesh.polygons, seen) if is_open for v in p.vertices}
    hidden = [not is_open and p.area < LARGE and beside.isdisjoint(p.vertices) for p, is_open in zip(mesh.polygons, seen)]
    bpy.ops.object.mode_set(mode='EDIT')
    bpy.ops.mesh.select_all(action='DESELECT')
    bpy.ops.mesh.select_mode(type='FACE')
    bpy.ops.object.mode_set(mode='OBJECT')
    mesh.polygons.foreach_set('select', hidden)
    bpy.ops.object.mode_set(mode='EDIT')
    bpy.ops.mesh.delete(type='FACE')
    bpy.ops.object.mode_set(mode='OBJECT')
    return sum(hidden)


def unfold(ob, size):
    """One map for the whole product, every island at the same scale, a few pixels apart."""
    ob.data.uv_layers.active = ob.data.uv_layers.new(name=ATLAS)
    bpy.ops.object.mode_set(mode='EDIT')
    bpy.ops.mesh.select_all(action='SELECT')
    bpy.ops.uv.smart_project(angle_limit=math.radians(66), island_margin=2.5 / size, area_weight=.3)
    bpy.ops.object.mode_set(mode='OBJECT')
    for layer in ob.data.uv_layers:
        layer.active_render = layer.name == WEAVE


def handles_of(mesh, family):
    """The materials, by index, of what stands out from the measured box."""
    return {i for i, m in enumerate(mesh.materials) if family in WITH_HANDLES and m.name.startswith(HANDLES)}


def fit(ob, family, measures):
    """Stretch the mesh a little to its measurements (metres by name), and stand its middle on the floor."""
    mesh = ob.data
    handles = handles_of(mesh, family)
    measured = sorted({v for p in mesh.polygons if p.material_index not in handles for v in p.vertices})
    co = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get('co', co)
    co = co.reshape(-1, 3)
    low, high = co[measured].min(0), co[measured].max(0)
    width, depth, height = high - low
    round_ = min(width, depth)
    scale = np.ones(3)
    for axis, size, name in ((0, width, 'Width'), (1, depth, 'Depth'), (0, round_, 'Diameter'), (1, round_, 'Diameter'),
            (2, height, 'Height')):
        if name in measures and abs(measures[name] - size) > CLOSE:
            scale[axis] = measures[name] / size
    if np.abs(scale - 1).max() > MOST:
        raise ValueError(f'measures {width:.3f} x {depth:.3f} x {height:.3f} m, which is not {measures}')
    middle = (low + high) / 2
    middle[2] = low[2]
    mesh.vertices.foreach_set('co', ((co - middle) * scale).astype(np.float32).ravel())
    mesh.update()
    print(f'FIT {" x ".join(f"{s * 100:.1f}" for s in (high - low))} cm, stretched by {", ".join(f"{s:.3f}" for s in scale)}',
        flush=True)


def one_mesh(shot, size, measures, total=None):
    """Build the product in its measurements and return it as one object with the maps WEAVE and ATLAS."""
    shot.build()
    source = [ob for ob in shapes.collection(shapes.PRODUCT).all_objects if ob.type in ('MESH', 'CURVE') and not ob.hide_render]
    for ob in source:
        lighten(ob)
        for kind in WOVEN:
            if kind in ob:
                as_sheet(ob, kind)
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    rand = random_numbers(graph)
    objects = [solid(ob, graph, rand.get(ob.name, .5)) for ob in source]
    for ob in source:
        bpy.data.objects.remove(ob)
    objects = [ob for ob in objects if len(ob.data.polygons)]
    reduce(objects, total or FEWER.get(shot.family, TRIANGLES))
    ob = join(objects)
    fit(ob, shot.family, measures)
    before = triangles(ob.data)
    hide_inside(ob)
    unfold(ob, size)
    print(f'MESH {len(objects)} pieces, {before} triangles, {triangles(ob.data)} of them seen', flush=True)
    return ob


def arrays(ob, family):
    """What a file needs: places, normals and both maps of each triangle's corners, and each triangle's material."""
    mesh = ob.data
    mesh.calc_loop_triangles()
    mesh.calc_normals_split()

    def read(collection, name, width, kind=np.float32):
        out = np.empty(len(collection) * width, kind)
        collection.foreach_get(name, out)
        return out.reshape(-1, width) if width > 1 else out

    loops = read(mesh.loop_triangles, 'loops', 3, np.int32)
    return {
        'position': read(mesh.vertices, 'co', 3)[read(mesh.loops, 'vertex_index', 1, np.int32)],
        'normal': read(mesh.loops, 'normal', 3),
        'atlas': read(mesh.uv_layers[ATLAS].data, 'uv', 2),
        'weave': read(mesh.uv_layers[WEAVE].data, 'uv', 2),
        'triangles': loops,
        'material': read(mesh.loop_triangles, 'material_index', 1, np.int32),
        'names': np.array([m.name for m in mesh.materials]),
        'handles': np.array(sorted(handles_of(mesh, family)), np.int32),
    }
