"""Where a product stands: an empty scene, paper sweep, lights, camera, and the render itself."""
import math
import os

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

import materials
import shapes
from nodes import forget_materials

STAGE = 'Stage'  # the collection of everything that is not the product
PASSES = {'color': 'Image', 'albedo': 'Denoising Albedo', 'normal': 'Denoising Normal'}


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    forget_materials()


def settings(width, height, samples, bounces=8):
    """Cycles on the CPU. No caustics, and bright indirect light is clamped: few samples must do."""
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    cycles = scene.cycles
    cycles.device = 'CPU'
    cycles.samples = samples
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = bounces, 4, 4
    cycles.transmission_bounces, cycles.transparent_max_bounces = bounces, 12
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.blur_glossy = .6
    cycles.sample_clamp_indirect = 6
    cycles.use_auto_tile = False
    cycles.pixel_filter_type = 'BLACKMAN_HARRIS'
    cycles.filter_width = 1.4
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.use_border = scene.render.use_crop_to_border = False
    scene.render.threads_mode = 'AUTO'
    scene.view_settings.view_transform = 'Standard'
    bpy.context.view_layer.cycles.denoising_store_passes = True


def add(name, part):
    """Put a lamp or camera on the stage."""
    ob = bpy.data.objects.new(name, part)
    shapes.collection(STAGE).objects.link(ob)
    return ob


def area(name, loc, target, size, power, color=(1, 1, 1)):
    """Rectangular soft light, size in metres (width, height), power in watts."""
    light = bpy.data.lights.new(name, 'AREA')
    light.shape = 'RECTANGLE'
    light.size, light.size_y = size
    light.energy = power
    light.color = color
    ob = add(name, light)
    ob.location = loc
    ob.rotation_euler = (Vector(target) - Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
    return ob


def sun(direction, strength, color):
    light = bpy.data.lights.new('sun', 'SUN')
    light.energy = strength
    light.angle = math.radians(1.2)
    light.color = color
    ob = add('sun', light)
    ob.rotation_euler = Vector(direction).to_track_quat('-Z', 'Y').to_euler()
    return ob


def world(color, strength):
    sky = bpy.data.worlds.new('world')
    bpy.context.scene.world = sky
    sky.use_nodes = True
    background = sky.node_tree.nodes['Background']
    background.inputs[0].default_value = (*color, 1)
    background.inputs[1].default_value = strength


def paper_sweep(scale, color, depth=1.9):
    """Seamless paper: floor, large radius, wall."""
    radius = 1.3 * scale
    back = depth * scale
    profile = [(-9 * scale, 0.), (back, 0.)]
    for i in range(1, 25):
        a = math.radians(90 * i / 24)
        profile.append((back + radius * math.sin(a), radius - radius * math.cos(a)))
    profile.append((back + radius, 9 * scale))
    verts = [(x * 14 * scale, y, z) for y, z in profile for x in (-.5, .5)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    ob = shapes.obj_from('paper', verts, faces, materials.backdrop(color))
    for collection in ob.users_collection:
        collection.objects.unlink(ob)
    shapes.collection(STAGE).objects.link(ob)


def photo_studio(scale, paper='#efece8', dim=1.):
    """Big soft key from upper left, overhead bank, weak fill from the right, washed back wall; all grow with scale.

    dim: share of the studio's light, below 1 where the product is a lamp that is lit."""
    s = scale
    paper_sweep(max(s, .25), paper)
    world((1., .995, .985), .26 * dim)
    power = s * s * dim
    middle = (0, 0, .42 * s)
    area('key', (-2.3 * s, -1.9 * s, 2.6 * s), middle, (1.7 * s, 1.7 * s), 235 * power, (1, .985, .965))
    area('top', (.1 * s, -.2 * s, 3.6 * s), (0, -.1 * s, 0), (3.6 * s, 3.4 * s), 88 * power)
    area('fill', (3.2 * s, -2.4 * s, 1.5 * s), middle, (2.4 * s, 2.4 * s), 22 * power, (.97, .985, 1))
    area('rim', (2.6 * s, 1.5 * s, 2.2 * s), (0, 0, .5 * s), (.8 * s, 2.2 * s), 40 * power)
    area('wall', (0, .9 * s, 4.4 * s), (0, 3.2 * s, 1.6 * s), (9 * s, 1.2 * s), 150 * power, (1, .995, .985))
    area('wall-left', (-4.4 * s, .6 * s, 2.6 * s), (-2.2 * s, 3.2 * s, 1.8 * s), (1. * s, 3. * s), 62 * power,
        (1, .99, .975))


def product_points():
    """Points spread over the product as rendered, in world metres."""
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for ob in shapes.collection(shapes.PRODUCT).all_objects:
        if ob.type not in ('MESH', 'CURVE') or ob.hide_render:
            continue
        evaluated = ob.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        if mesh and len(mesh.vertices):
            co = np.empty(len(mesh.vertices) * 3, np.float32)
            mesh.vertices.foreach_get('co', co)
            co = co.reshape(-1, 3)
            step = max(1, len(co) // 1500)
            matrix = np.array(evaluated.matrix_world)
            points.append(co[::step] @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return np.concatenate(points)


def cube_points(center, size):
    """The corners of a small cube, to frame it instead of the whole product."""
    c = np.array(center, np.float32)
    return np.array([c + np.array([x, y, z]) * size / 2 for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)


def camera(az=28., el=10., lens=85., fill=.80, vfill=None, level=True, points=None, fstop=0., focus=None, dy=0.):
    """Place the camera so that the points fill `fill` of the frame's width, or `vfill` of its height.

    az and el in degrees round the product. A level camera stays horizontal and shifts its lens, so that verticals stay
    vertical. dy moves the product down by that share of the frame. With an fstop, focus is the sharp point."""
    scene = bpy.context.scene
    points = product_points() if points is None else points
    middle = Vector((points.min(0) + points.max(0)) / 2)
    cam = bpy.data.cameras.new('camera')
    cam.lens = lens
    cam.sensor_fit = 'HORIZONTAL'
    cam.sensor_width = 36
    cam.clip_start, cam.clip_end = .01, 200
    ob = add('camera', cam)
    scene.camera = ob
    a, e = math.radians(az), math.radians(el)
    direction = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    aspect = scene.render.resolution_y / scene.render.resolution_x
    distance = 5.
    for _ in range(12):  # step towards the wanted size; the lens shift follows
        ob.location = middle + direction * distance
        look = middle - ob.location
        if level:
            look.z = 0
        ob.rotation_euler = look.to_track_quat('-Z', 'Y').to_euler()
        bpy.context.view_layer.update()
        seen = np.array([world_to_camera_view(scene, ob, Vector(p)) for p in points[::max(1, len(points) // 4000)]])
        lo, hi = seen.min(0), seen.max(0)
        excess = max((hi[0] - lo[0]) / fill, (hi[1] - lo[1]) / (vfill or fill))
        distance *= 1 + (excess - 1) * .9
        cam.shift_x += (hi[0] + lo[0]) / 2 - .5
        cam.shift_y += ((hi[1] + lo[1]) / 2 - .5) * aspect
    cam.shift_y += dy * aspect
    if fstop:
        cam.dof.use_dof = True
        cam.dof.aperture_fstop = fstop
        cam.dof.focus_distance = abs((ob.matrix_world.inverted() @ Vector(focus)).z)


def region(margin=.05):
    """The part of the frame that the product and its near shadow fill, as (left, bottom, right, top) in 0..1."""
    scene = bpy.context.scene
    points = product_points()
    seen = np.array([world_to_camera_view(scene, scene.camera, Vector(p)) for p in points[::max(1, len(points) // 4000)]])
    aspect = scene.render.resolution_x / scene.render.resolution_y
    grown = np.array([margin, margin * aspect])
    low, high = seen.min(0)[:2] - grown, seen.max(0)[:2] + grown
    return tuple(float(v) for v in np.clip(np.concatenate([low, high]), 0, 1))


def output(folder, passes):
    """Let the compositor write the passes as EXR files into the folder."""
    scene = bpy.context.scene
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    files = tree.nodes.new('CompositorNodeOutputFile')
    files.base_path = folder
    files.format.file_format = 'OPEN_EXR'
    files.format.color_depth = '32'
    files.file_slots.clear()
    for name, socket in passes.items():
        files.file_slots.new(name)
        tree.links.new(layers.outputs[socket], files.inputs[name])


def render_passes(folder, passes):
    """Render the frame as it is set, and read what the compositor wrote: one array for each pass."""
    output(folder, passes)
    bpy.context.scene.frame_set(1)
    bpy.ops.render.render()
    arrays = {}
    for name in passes:
        file = next(os.path.join(folder, f) for f in os.listdir(folder) if f.startswith(name))
        image = bpy.data.images.load(file)
        image.colorspace_settings.name = 'Non-Color'
        width, height = image.size
        pixels = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        arrays[name] = pixels.reshape(height, width, image.channels)[::-1, :, :3]
        bpy.data.images.remove(image)
        os.remove(file)
    return arrays


def render(path, seed=0, scale=1., box=None):
    """Render; write colour, albedo and normal to one .npz for the denoiser.

    scale: of the picture's width and height; box: only this part of the frame, (left, bottom, right, top) in 0..1."""
    scene = bpy.context.scene
    scene.cycles.seed = seed
    scene.render.resolution_percentage = round(100 * scale)
    scene.render.use_border = scene.render.use_crop_to_border = box is not None
    if box:
        r = scene.render
        r.border_min_x, r.border_min_y, r.border_max_x, r.border_max_y = box
    folder = path + '.passes'
    os.makedirs(folder, exist_ok=True)
    arrays = render_passes(folder, PASSES)
    if box:
        arrays['box'] = np.array(box)
    os.rmdir(folder)
    np.savez(path + '.part.npz', **arrays)
    os.replace(path + '.part.npz', path)
