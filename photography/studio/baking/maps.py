"""Bakes what the studio's formulas say into pictures: colour, roughness and metal, relief, shade and a lamp's own light."""
import time

import bpy
import numpy as np

from baking.geometry import ATLAS, WEAVE

LIT = ('emit', 'opal')


def prepare():
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.cycles.device = 'CPU'
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = False
    scene.render.bake.use_selected_to_active = False
    if not scene.world:
        scene.world = bpy.data.worlds.new('world')
    scene.world.use_nodes = True
    scene.world.node_tree.nodes['Background'].inputs[1].default_value = 0


def place_by_vertex(material):
    """Objects were joined: let the formulas read the place and number that each vertex remembers."""
    tree = material.node_tree

    def instead(socket, name, output):
        if not socket.is_linked:
            return
        node = tree.nodes.new('ShaderNodeAttribute')
        node.attribute_name = name
        for link in list(socket.links):
            tree.links.new(node.outputs[output], link.to_socket)

    for node in list(tree.nodes):
        if node.type == 'TEX_COORD':
            instead(node.outputs['Object'], 'obj_co', 'Vector')
            if node.outputs['UV'].is_linked:
                named = tree.nodes.new('ShaderNodeUVMap')
                named.uv_map = WEAVE
                for link in list(node.outputs['UV'].links):
                    tree.links.new(named.outputs['UV'], link.to_socket)
        elif node.type == 'OBJECT_INFO':
            instead(node.outputs['Random'], 'obj_rand', 'Fac')


def bake(ob, kind, name, size, samples):
    """One pass into a picture of its own: an array of rows from the top, linear."""
    image = bpy.data.images.new(name, size, size, alpha=False, float_buffer=True)
    image.colorspace_settings.name = 'Non-Color'
    for material in ob.data.materials:
        node = material.node_tree.nodes.new('ShaderNodeTexImage')
        node.image = image
        material.node_tree.nodes.active = node
    ob.data.uv_layers.active = ob.data.uv_layers[ATLAS]
    bpy.context.scene.cycles.samples = samples
    more = {'pass_filter': {'EMIT', 'DIRECT', 'INDIRECT', 'DIFFUSE', 'GLOSSY', 'TRANSMISSION'}} if kind == 'COMBINED' else {}
    start = time.process_time()
    bpy.ops.object.bake(type=kind, margin=6, use_clear=True, **more)
    print(f'MAP {name} {time.process_time() - start:.0f} s of processor time', flush=True)
    pixels = np.empty(size * size * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(size, size, 4)[::-1, :, :3].copy()


def softened(values, reach):
    """Each pixel as the mean of those near it: soft light needs few samples then."""
    near = range(-reach, reach + 1)
    return sum(np.roll(values, (y, x), (0, 1)) for y in near for x in near) / len(near) ** 2


def shader_of(tree):
    """The node that says what the surface is: its first Principled one, or what stands in for it."""
    for kind in ('BSDF_PRINCIPLED', 'EMISSION', 'BSDF_GLASS', 'BSDF_DIFFUSE'):
        for node in tree.nodes:
            if node.type == kind:
                return node
    raise KeyError('a material without a surface')


def copy_value(tree, source, target):
    if source.is_linked:
        tree.links.new(source.links[0].from_socket, target)
        return
    value = source.default_value
    target.default_value = value if target.type == 'VALUE' else tuple(value)


def show(material, what):
    """Let the surface shine with its colour, or with (0, roughness, metal) as colours."""
    tree = material.node_tree
    node = shader_of(tree)
    shine = tree.nodes.new('ShaderNodeEmission')
    if what == 'colour':
        copy_value(tree, node.inputs.get('Base Color') or node.inputs['Color'], shine.inputs['Color'])
    else:
        both = tree.nodes.new('ShaderNodeCombineXYZ')
        for name, socket, default in (('Roughness', 'Y', .9), ('Metallic', 'Z', 0.)):
            if node.type == 'BSDF_PRINCIPLED':
                copy_value(tree, node.inputs[name], both.inputs[socket])
            else:
                both.inputs[socket].default_value = default
        tree.links.new(both.outputs[0], shine.inputs['Color'])
    output = next(n for n in tree.nodes if n.type == 'OUTPUT_MATERIAL')
    tree.links.new(shine.outputs[0], output.inputs['Surface'])


def shown(ob, what, size):
    """A map of what the surfaces say of themselves: their colour, or their roughness and metal."""
    for material in ob.data.materials:
        show(material, what)
    return bake(ob, 'EMIT', what, size, 3)


def colour_map(ob, size):
    """The colour alone, of a product whose other maps are known."""
    prepare()
    for material in ob.data.materials:
        place_by_vertex(material)
    return shown(ob, 'colour', size)


def all_maps(ob, size):
    """The product's pictures by name; `glow` only where something shines."""
    prepare()
    for material in ob.data.materials:
        place_by_vertex(material)
    maps = {}
    if any(material.name.startswith(LIT) for material in ob.data.materials):
        maps['glow'] = softened(bake(ob, 'COMBINED', 'glow', size // 4, 24), 1)
    maps['shade'] = softened(bake(ob, 'AO', 'shade', size // 2, 5), 2)
    maps['relief'] = bake(ob, 'NORMAL', 'relief', size, 2)
    maps['colour'] = shown(ob, 'colour', size)
    maps['surface'] = shown(ob, 'surface', size // 2)
    return maps
