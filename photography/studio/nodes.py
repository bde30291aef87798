"""Tiny wrapper around Blender's shader node API so that materials read like formulas."""
import functools

import bpy

_made = []


def material(make):
    """Decorator: one Blender material for each set of arguments, until the scene is emptied."""
    made = functools.lru_cache(None)(make)
    _made.append(made)
    return made


def forget_materials():
    """An emptied scene has lost its materials: make them anew."""
    for made in _made:
        made.cache_clear()


def lin(hexcode):
    """'#d8b88f' -> linear RGB tuple."""
    h = hexcode.lstrip('#')
    v = [int(h[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in v)


def shade(rgb, f):
    return tuple(min(1, max(0, c * f)) for c in rgb)


class Nodes:
    def __init__(self, name):
        self.mat = bpy.data.materials.new(name)
        self.mat.use_nodes = True
        self.t = self.mat.node_tree
        self.t.nodes.clear()
        self.out = self.t.nodes.new('ShaderNodeOutputMaterial')

    def new(self, kind, **attrs):
        n = self.t.nodes.new('ShaderNode' + kind)
        for k, v in attrs.items():
            setattr(n, k, v)
        return n

    def put(self, sock, v):
        if v is None:
            return
        if isinstance(v, bpy.types.NodeSocket):
            self.t.links.new(v, sock)
        else:
            if sock.type == 'RGBA' and len(v) == 3:
                v = (*v, 1)
            sock.default_value = v

    # coordinates

    def uv(self):
        return self.new('TexCoord').outputs['UV']

    def obj(self):
        return self.new('TexCoord').outputs['Object']

    def rand(self):
        return self.new('ObjectInfo').outputs['Random']

    def island(self):
        return self.new('NewGeometry').outputs['Random Per Island']

    def facing(self, blend=.5):
        n = self.new('LayerWeight')
        n.inputs['Blend'].default_value = blend
        return n.outputs['Facing']

    # math

    def m(self, op, a, b=None, c=None, clamp=False):
        n = self.new('Math', operation=op, use_clamp=clamp)
        for i, v in enumerate((a, b, c)):
            self.put(n.inputs[i], v)
        return n.outputs[0]

    def vm(self, op, a, b=None):
        n = self.new('VectorMath', operation=op)
        self.put(n.inputs[0], a)
        if op == 'SCALE':
            self.put(n.inputs['Scale'], b)
        else:
            self.put(n.inputs[1], b)
        return n.outputs['Value' if op in ('LENGTH', 'DOT_PRODUCT', 'DISTANCE') else 'Vector']

    def sep(self, v):
        n = self.new('SeparateXYZ')
        self.put(n.inputs[0], v)
        return n.outputs

    def comb(self, x=0., y=0., z=0.):
        n = self.new('CombineXYZ')
        for i, v in enumerate((x, y, z)):
            self.put(n.inputs[i], v)
        return n.outputs[0]

    # textures

    def noise(self, vec, scale=1., detail=2., rough=.5, distort=0., color=False):
        n = self.new('TexNoise')
        self.put(n.inputs['Vector'], vec)
        for k, v in (('Scale', scale), ('Detail', detail), ('Roughness', rough), ('Distortion', distort)):
            self.put(n.inputs[k], v)
        return n.outputs['Color' if color else 'Fac']

    def voronoi(self, vec, scale=1., feature='F1', random=1., color=False):
        n = self.new('TexVoronoi', feature=feature)
        self.put(n.inputs['Vector'], vec)
        self.put(n.inputs['Scale'], scale)
        self.put(n.inputs['Randomness'], random)
        return n.outputs['Color' if color else 'Distance']

    def white(self, vec):
        n = self.new('TexWhiteNoise', noise_dimensions='3D')
        self.put(n.inputs['Vector'], vec)
        return n.outputs

    # shaping

    def ramp(self, fac, stops, mode='LINEAR'):
        n = self.new('ValToRGB')
        n.color_ramp.interpolation = mode
        els = n.color_ramp.elements
        while len(els) < len(stops):
            els.new(.5)
        for e, (p, c) in zip(els, stops):
            e.position = p
            e.color = (c, c, c, 1) if isinstance(c, (int, float)) else (*c, 1)
        self.put(n.inputs[0], fac)
        return n.outputs['Color']

    def remap(self, v, a, b, c, d, smooth=False):
        n = self.new('MapRange', interpolation_type='SMOOTHSTEP' if smooth else 'LINEAR')
        for i, x in enumerate((v, a, b, c, d)):
            self.put(n.inputs[i], x)
        return n.outputs[0]

    def mix(self, fac, a, b, mode='MIX'):
        n = self.new('MixRGB', blend_type=mode)
        for i, v in enumerate((fac, a, b)):
            self.put(n.inputs[i], v)
        return n.outputs[0]

    def hsv(self, col, h=.5, s=1., v=1.):
        n = self.new('HueSaturation')
        for k, x in (('Hue', h), ('Saturation', s), ('Value', v), ('Color', col)):
            self.put(n.inputs[k], x)
        return n.outputs[0]

    def bump(self, height, strength=.5, dist=.001, normal=None):
        n = self.new('Bump')
        self.put(n.inputs['Strength'], strength)
        self.put(n.inputs['Distance'], dist)
        self.put(n.inputs['Height'], height)
        self.put(n.inputs['Normal'], normal)
        return n.outputs[0]

    # shaders

    def bsdf(self, **kw):
        n = self.new('BsdfPrincipled')
        for k, v in kw.items():
            self.put(n.inputs[k.replace('_', ' ')], v)
        return n.outputs[0]

    def shader(self, kind, **kw):
        n = self.new(kind)
        for k, v in kw.items():
            self.put(n.inputs[k.replace('_', ' ')], v)
        return n.outputs[0]

    def mixs(self, fac, a, b):
        n = self.new('MixShader')
        self.put(n.inputs[0], fac)
        self.put(n.inputs[1], a)
        self.put(n.inputs[2], b)
        return n.outputs[0]

    def surface(self, s, plain=None):
        """plain: the mean colour, linear. Light that bounces off softly cannot show grain or weave: it meets this colour
        instead of the whole formula, which takes most of a render's time."""
        if plain:
            soft = self.new('LightPath').outputs['Is Diffuse Ray']
            s = self.mixs(soft, s, self.shader('BsdfDiffuse', Color=plain))
        self.t.links.new(s, self.out.inputs['Surface'])
        return self.mat
