"""Ceramic, metal, paint, plaster, glass, stone, wax and light."""
from nodes import Nodes, lin, material, shade


@material
def ceramic(color='#e6dfd2', finish='matte', speckle=0., second=None):
    """finish: matte | satin | gloss | raw (coarse stoneware)"""
    base = lin(color)
    n = Nodes(f'ceramic-{color}-{finish}')
    o = n.obj()
    size = n.noise(o, 6., 3., .55)
    fine = n.noise(o, 220., 3., .6)
    throw = n.noise(n.vm('MULTIPLY', o, (3., 3., 150.)), 1., 2., .5)
    val = n.m('ADD', n.m('MULTIPLY_ADD', size, .16, .92), n.m('MULTIPLY', n.m('SUBTRACT', fine, .5), .10))
    col = n.hsv(base, .5, 1., val)
    if second:  # reactive glaze: second tone pooling
        pool = n.remap(n.m('ADD', n.noise(o, 9., 5., .62, .8), n.m('MULTIPLY', n.m('SUBTRACT', throw, .5), .25)), .42,
            .62, 0., 1., smooth=True)
        col = n.mix(pool, col, lin(second))
    if speckle:
        sp = n.voronoi(o, 330.)
        pick = n.voronoi(o, 330., color=True)
        dots = n.m('MULTIPLY', n.m('LESS_THAN', sp, .30), n.m('GREATER_THAN', n.sep(pick)[0], 1 - .22 * speckle))
        sp2 = n.voronoi(n.vm('ADD', o, (1, 2, 3)), 140.)
        pick2 = n.voronoi(n.vm('ADD', o, (1, 2, 3)), 140., color=True)
        dots2 = n.m('MULTIPLY', n.m('LESS_THAN', sp2, .17), n.m('GREATER_THAN', n.sep(pick2)[1], 1 - .16 * speckle))
        col = n.mix(n.m('MULTIPLY', n.m('MAXIMUM', dots, dots2), .75), col, lin('#5b4a3b'))
    rough = {'matte': .62, 'satin': .36, 'gloss': .14, 'raw': .9}[finish]
    h = n.m('ADD', n.m('MULTIPLY', fine, .5 if finish in ('raw', 'matte') else .08), n.m('MULTIPLY', throw, .4))
    nrm = n.bump(h, .45 if finish == 'raw' else .16, .0014)
    coat = {'matte': 0., 'satin': .25, 'gloss': .9, 'raw': 0.}[finish]
    return n.surface(n.bsdf(Base_Color=col, Roughness=n.m('MULTIPLY_ADD', fine, .1, rough - .05), Specular=.45,
        Clearcoat=coat, Clearcoat_Roughness=.06, Normal=nrm))


@material
def metal(kind='brass', rough=None):
    """kind: brass | steel | copper | black | white | or '#hex' for powder coat"""
    n = Nodes(f'metal-{kind}')
    o = n.obj()
    if kind in ('brass', 'steel', 'copper', 'bronze'):
        col = {'brass': '#d9b36c', 'steel': '#c9c8c6', 'copper': '#d99a78', 'bronze': '#8a6a48'}[kind]
        brush = n.noise(n.vm('MULTIPLY', o, (900., 900., 14.)), 1., 2., .6)
        smudge = n.noise(o, 14., 3., .6)
        r = n.m('ADD', n.m('MULTIPLY_ADD', brush, .14, (rough or .20)), n.m('MULTIPLY', smudge, .10))
        c = n.hsv(lin(col), .5, 1., n.m('MULTIPLY_ADD', smudge, .14, .93))
        return n.surface(n.bsdf(Base_Color=c, Metallic=1., Roughness=r, Anisotropic=.35,
            Normal=n.bump(brush, .05, .0003)))
    col = {'black': '#1d1c1b', 'white': '#efece6'}.get(kind, kind)
    tex = n.noise(o, 1400., 2., .5)
    return n.surface(n.bsdf(Base_Color=lin(col), Roughness=rough or .48, Specular=.45, Normal=n.bump(tex, .12, .0003)))


@material
def paint(color='#e9e4da', rough=.45):
    n = Nodes(f'paint-{color}')
    o = n.obj()
    t = n.noise(o, 260., 2., .5)
    return n.surface(n.bsdf(Base_Color=lin(color), Roughness=rough, Specular=.4, Normal=n.bump(t, .05, .0004)), lin(color))


@material
def plaster(color='#e7e1d6', strength=.5):
    n = Nodes(f'plaster-{color}')
    o = n.obj()
    a = n.noise(o, 3.5, 5., .6, .4)
    b = n.noise(o, 40., 4., .6)
    col = n.hsv(lin(color), .5, 1., n.m('ADD', n.m('MULTIPLY_ADD', a, .10, .95),
        n.m('MULTIPLY', n.m('SUBTRACT', b, .5), .03)))
    return n.surface(n.bsdf(Base_Color=col, Roughness=.9, Specular=.15,
        Normal=n.bump(n.m('ADD', n.m('MULTIPLY', a, 1.), n.m('MULTIPLY', b, .25)), strength, .004)), lin(color))


@material
def backdrop(color='#e4e0d9'):
    n = Nodes('backdrop')
    return n.surface(n.bsdf(Base_Color=lin(color), Roughness=.95, Specular=.05))


@material
def glass(color='#ffffff', rough=0.):
    """Solid glass that lets light rays straight through (no noisy caustics)."""
    n = Nodes(f'glass-{color}')
    g = n.shader('BsdfGlass', Color=lin(color), Roughness=rough, IOR=1.46)
    t = n.shader('BsdfTransparent', Color=shade(lin(color), .96))
    lp = n.new('LightPath')
    thru = n.m('MAXIMUM', lp.outputs['Is Shadow Ray'], lp.outputs['Is Diffuse Ray'])
    return n.surface(n.mixs(thru, g, t))


@material
def opal(color='#fff3e0', strength=.6):
    """Lit opal glass."""
    n = Nodes(f'opal-{color}')
    face = n.facing(.35)
    e = n.m('MULTIPLY', n.m('SUBTRACT', 1.15, n.m('MULTIPLY', face, .45)), strength)
    return n.surface(n.bsdf(Base_Color=lin('#f4efe6'), Roughness=.16, Specular=.5, Emission=lin(color),
        Emission_Strength=e))


@material
def stone(kind='travertine'):
    n = Nodes(f'stone-{kind}')
    o = n.obj()
    if kind == 'travertine':
        s = n.sep(o)
        p = n.comb(n.m('MULTIPLY', s[0], 2.), n.m('MULTIPLY', s[1], 15.), n.m('MULTIPLY', s[2], 15.))
        band = n.noise(p, 1.6, 6., .6, .5)  # sediment layers run along X
        col = n.ramp(band, [(.25, lin('#c4ae92')), (.5, lin('#dacab2')), (.75, lin('#e8dcc8'))])
        pits = n.noise(n.vm('MULTIPLY', o, (70., 240., 240.)), 1., 3., .6)
        hole = n.m('MULTIPLY', n.remap(pits, .60, .68, 0., 1., smooth=True), n.remap(band, .42, .60, 1., .25))
        col = n.mix(n.m('MULTIPLY', hole, .6), col, lin('#a08a70'))
        return n.surface(n.bsdf(Base_Color=col, Roughness=.55, Specular=.35,
            Normal=n.bump(n.m('MULTIPLY', hole, -1.), .5, .002)))
    if kind in ('marble', 'green', 'nero'):
        bg, vein, vein2 = {'marble': ('#eeebe6', '#a9a49d', '#cfcac3'), 'green': ('#2f4a3d', '#93ab9a', '#3d5d4d'),
            'nero': ('#1d1c1c', '#b5aca0', '#2b2a29')}[kind]
        w = n.noise(o, 4., 5., .6, color=True)
        p = n.vm('ADD', o, n.vm('SCALE', w, .35))
        v = n.m('ABSOLUTE', n.m('SUBTRACT', n.noise(p, 4.5, 6., .55), .5))
        line = n.remap(v, 0., .035, 1., 0., smooth=True)
        soft = n.noise(p, 7., 4., .6)
        col = n.mix(n.remap(soft, .35, .7, 0., .8), lin(bg), lin(vein2))
        col = n.mix(n.m('MULTIPLY', line, .75), col, lin(vein))
        return n.surface(n.bsdf(Base_Color=col, Roughness=.22, Specular=.5))
    raise KeyError(kind)


@material
def emitter(color='#ffd9a0', strength=40.):
    n = Nodes(f'emit-{color}-{strength}')
    return n.surface(n.shader('Emission', Color=lin(color), Strength=strength))


@material
def wax(color='#efe6d4'):
    n = Nodes(f'wax-{color}')
    return n.surface(n.bsdf(Base_Color=lin(color), Roughness=.5, Specular=.4, Subsurface=.35,
        Subsurface_Radius=(.02, .012, .006), Subsurface_Color=(*lin(color), 1)))
