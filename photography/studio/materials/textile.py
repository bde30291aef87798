"""Cloth and leather; they read the UV map, which is in metres."""
from nodes import Nodes, lin, material, shade


def wrinkle(n, uv, strength=.30):
    """Slow unevenness of cloth over foam, as a base normal for the weave bump."""
    a = n.noise(uv, 7., 3., .5, .9)
    b = n.noise(n.vm('MULTIPLY', uv, (34., 12., 1.)), 1., 2., .5, .6)
    return n.bump(n.m('MULTIPLY_ADD', b, .22, a), strength, .016)


@material
def fabric(color='#b8b2a6', kind='wool', second=None, scale=1.):
    """kind: linen | wool | boucle | velvet | canvas"""
    base = lin(color)
    n = Nodes(f'fabric-{kind}-{color}')
    uv = n.uv()
    s = n.sep(uv)
    u, v = s[0], s[1]
    big = n.noise(uv, 2.2, 3., .55)
    if kind == 'boucle':  # round loops of about 7 mm, heaped on each other, over fine curls
        drift = n.vm('SUBTRACT', n.noise(uv, 90. * scale, 2., .5, color=True), (.5, .5, .5))
        p = n.vm('ADD', uv, n.vm('SCALE', drift, .008))
        d1 = n.voronoi(p, 135. * scale)
        d2 = n.voronoi(n.vm('ADD', p, (3.1, 1.7, 0)), 190. * scale)
        dome1 = n.m('SUBTRACT', 1., n.m('MULTIPLY', d1, d1))
        dome2 = n.m('SUBTRACT', .92, n.m('MULTIPLY', d2, d2))
        h = n.m('MAXIMUM', dome1, dome2)
        curl = n.noise(p, 900. * scale, 2., .6)
        ao = n.remap(h, .55, .98, .72, 1.06)
        val = n.m('MULTIPLY', ao, n.m('MULTIPLY_ADD', curl, .16, .92))
        col = n.hsv(base, .5, 1., n.m('MULTIPLY', val, n.m('MULTIPLY_ADD', big, .12, .94)))
        nrm = n.bump(n.m('MULTIPLY_ADD', curl, .10, h), .75, .006, wrinkle(n, uv))
        return n.surface(n.bsdf(Base_Color=col, Roughness=.95, Specular=.10, Sheen=.35, Sheen_Tint=.6, Normal=nrm),
            shade(base, .9))
    if kind == 'velvet':
        nap = n.noise(n.vm('MULTIPLY', uv, (9., 5., 1.)), 1., 4., .6, .6)
        fine = n.noise(uv, 900., 2., .5)
        face = n.facing(.42)
        dark = shade(base, .52)
        lite = tuple(min(1, c * 1.5 + .035) for c in base)
        f = n.m('ADD', n.m('POWER', face, 1.6), n.m('MULTIPLY', n.m('SUBTRACT', nap, .5), .55), clamp=True)
        col = n.mix(f, dark, lite)
        col = n.hsv(col, .5, 1., n.m('MULTIPLY_ADD', fine, .25, .875))
        nrm = n.bump(n.m('ADD', n.m('MULTIPLY', nap, .7), n.m('MULTIPLY', fine, .15)), .25, .004, wrinkle(n, uv))
        return n.surface(n.bsdf(Base_Color=col, Roughness=.75, Specular=.15, Sheen=1., Sheen_Tint=.75, Normal=nrm), base)
    # woven cloths
    pitch = {'linen': 520., 'wool': 380., 'canvas': 430., 'chunky': 190.}[kind] * scale
    slub_u = n.noise(n.vm('MULTIPLY', uv, (pitch * .06, pitch * .8, 1.)), 1., 2., .6)
    slub_v = n.noise(n.vm('MULTIPLY', uv, (pitch * .8, pitch * .06, 1.)), 1., 2., .6)
    wob = n.noise(uv, 55., 2., .5)
    tu = n.m('SINE', n.m('MULTIPLY', n.m('ADD', u, n.m('MULTIPLY', wob, .0022)), pitch * 6.283 * .5))
    tv = n.m('SINE', n.m('MULTIPLY', n.m('ADD', v, n.m('MULTIPLY', wob, .0022)), pitch * 6.283 * .5))
    chk = n.m('MULTIPLY', tu, tv)  # basket weave over/under
    weave = n.m('MULTIPLY_ADD', chk, .5, .5)
    mel = n.noise(uv, pitch * .42, 2., .65)
    amp = {'linen': .34, 'wool': .42, 'canvas': .20, 'chunky': .5}[kind]
    f = n.m('ADD', n.m('MULTIPLY', n.m('SUBTRACT', slub_u, .5), amp), n.m('MULTIPLY', n.m('SUBTRACT', slub_v, .5), amp))
    f = n.m('ADD', f, n.m('MULTIPLY', n.m('SUBTRACT', mel, .5), amp * .9))
    val = n.m('ADD', n.m('MULTIPLY_ADD', f, 1.5, 1.), n.m('MULTIPLY', n.m('SUBTRACT', big, .5), .12))
    val = n.m('MULTIPLY', val, n.m('MULTIPLY_ADD', weave, .16, .90))
    src = base
    if second:
        src = n.mix(n.remap(n.m('ADD', mel, n.m('MULTIPLY', chk, .08)), .44, .56, 0., 1.), base, lin(second))
    col = n.hsv(src, .5, 1., val)
    h = n.m('ADD', n.m('MULTIPLY', weave, .55), n.m('MULTIPLY', n.m('ADD', slub_u, slub_v), .55))
    nrm = n.bump(h, {'linen': .35, 'wool': .45, 'canvas': .3, 'chunky': .6}[kind], .0016 if kind != 'chunky' else .004,
        wrinkle(n, uv))
    return n.surface(n.bsdf(Base_Color=col, Roughness=.92, Specular=.16, Sheen=.28, Sheen_Tint=.5, Normal=nrm),
        base)


@material
def leather(color='#9a5f38'):
    base = lin(color)
    n = Nodes(f'leather-{color}')
    uv = n.uv()
    w = n.noise(uv, 60., 3., .6, color=True)
    p = n.vm('ADD', uv, n.vm('SCALE', w, .006))
    cell = n.voronoi(p, 240., 'DISTANCE_TO_EDGE')
    grain = n.remap(cell, 0., .22, 0., 1., smooth=True)
    crease = n.noise(n.vm('MULTIPLY', uv, (22., 13., 1.)), 1., 6., .72, 1.6)
    big = n.noise(uv, 3.2, 4., .6)
    val = n.m('ADD', n.m('MULTIPLY_ADD', big, .34, .80), n.m('MULTIPLY', n.m('SUBTRACT', crease, .5), .50))
    val = n.m('MULTIPLY', val, n.m('MULTIPLY_ADD', grain, .26, .79))
    col = n.hsv(base, n.m('MULTIPLY_ADD', big, .014, .493), 1., val)
    h = n.m('ADD', n.m('MULTIPLY', grain, .4), n.m('MULTIPLY', crease, 1.1))
    nrm = n.bump(h, .42, .0018, wrinkle(n, uv, .18))
    rough = n.m('MULTIPLY_ADD', crease, .30, .32)
    return n.surface(n.bsdf(Base_Color=col, Roughness=rough, Specular=.42, Normal=nrm), shade(base, .9))


@material
def shade_cloth(color='#eee6d6', glow=0.):
    """Linen lamp shade: half of the light passes, slubs show."""
    base = lin(color)
    n = Nodes(f'shade-{color}-{glow}')
    uv = n.uv()
    su = n.noise(n.vm('MULTIPLY', uv, (40., 900., 1.)), 1., 2., .6)
    sv = n.noise(n.vm('MULTIPLY', uv, (900., 30., 1.)), 1., 2., .6)
    val = n.m('ADD', n.m('MULTIPLY_ADD', n.m('SUBTRACT', su, .5), .45, 1.),
        n.m('MULTIPLY', n.m('SUBTRACT', sv, .5), .45))
    col = n.hsv(base, .5, 1., val)
    nrm = n.bump(n.m('ADD', su, sv), .25, .001)
    d = n.shader('BsdfDiffuse', Color=col, Normal=nrm)
    t = n.shader('BsdfTranslucent', Color=n.mix(.35, col, lin('#ffdfb0'), 'MULTIPLY'), Normal=nrm)
    return n.surface(n.mixs(.5, d, t))


@material
def sheer(color='#f3efe8', dense=.55):
    """Linen voile curtain."""
    n = Nodes(f'sheer-{color}')
    uv = n.uv()
    su = n.noise(n.vm('MULTIPLY', uv, (60., 1400., 1.)), 1., 2., .6)
    sv = n.noise(n.vm('MULTIPLY', uv, (1400., 50., 1.)), 1., 2., .6)
    val = n.m('ADD', n.m('MULTIPLY_ADD', su, .3, .85), n.m('MULTIPLY_ADD', sv, .3, -.15))
    col = n.hsv(lin(color), .5, 1., val)
    d = n.mixs(.55, n.shader('BsdfDiffuse', Color=col), n.shader('BsdfTranslucent', Color=col))
    return n.surface(n.mixs(n.m('ADD', dense, n.m('MULTIPLY_ADD', su, .4, -.2), clamp=True),
        n.shader('BsdfTransparent'), d))


@material
def rug(color='#ddd5c6', line=None):
    base = lin(color)
    n = Nodes(f'rug-{color}')
    uv = n.uv()
    s = n.sep(uv)
    loops = n.voronoi(n.vm('MULTIPLY', uv, (1., .62, 1.)), 120.)
    row = n.m('SINE', n.m('MULTIPLY', n.m('ADD', s[1], n.m('MULTIPLY', n.noise(uv, 9.), .006)), 6.283 * 55))
    big = n.noise(uv, 3., 4., .6)
    mel = n.noise(uv, 160., 3., .7)
    val = n.m('ADD', n.m('MULTIPLY_ADD', big, .16, .90), n.m('MULTIPLY_ADD', mel, .45, -.22))
    val = n.m('ADD', val, n.m('MULTIPLY', row, .045))
    src = base
    if line:
        g = n.m('LESS_THAN', n.m('ABSOLUTE',
            n.m('SUBTRACT', n.m('FRACT', n.m('ADD', n.m('MULTIPLY', s[0], 2.2), n.m('MULTIPLY', n.noise(uv, 6.), .05))),
            .5)), .022)
        src = n.mix(g, base, lin(line))
    col = n.hsv(src, .5, 1., val)
    h = n.m('ADD', n.m('SUBTRACT', 1., loops), n.m('ADD', n.m('MULTIPLY', row, .35), n.m('MULTIPLY', mel, .6)))
    return n.surface(n.bsdf(Base_Color=col, Roughness=1., Specular=.08, Sheen=.3, Normal=n.bump(h, .8, .006)),
        shade(base, .97))
