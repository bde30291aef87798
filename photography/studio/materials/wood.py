"""Wood (rings around an offset pith, fibres, pores: solid in object space), boards, cane, cord and leaves."""
from nodes import Nodes, lin, material, shade

WOODS = {  # (light, mid, dark, pore strength, ring contrast)
    'oak': ('#d3b48c', '#c39f72', '#a37c51', .55, .55),
    'ash': ('#e6d3b4', '#dac29c', '#c2a47a', .45, .6),
    'walnut': ('#85654a', '#6e503a', '#4a3425', .45, .7),
    'smoked': ('#7d5c42', '#6a4b35', '#4b3325', .5, .55),
    'black': ('#2e2a27', '#262321', '#191716', .6, .5),
    'teak': ('#b57d4c', '#a26c3e', '#7f4f2b', .4, .5),
    'beech': ('#dcb894', '#d3ab84', '#c2966d', .15, .3),
}


@material
def wood(species='oak', axis='X', gloss=.42, flat=False):
    light, mid, dark, pore, contrast = WOODS[species]
    light, mid, dark = lin(light), lin(mid), lin(dark)
    n = Nodes(f'wood-{species}-{axis}')
    s = n.sep(n.obj())
    order = {'X': (0, 1, 2), 'Y': (1, 0, 2), 'Z': (2, 0, 1)}[axis]
    x, y, z = (s[i] for i in order)
    r = n.white(n.comb(n.rand(), 3.7, 1.3))
    rv = n.sep(r['Color'])
    x = n.m('ADD', x, n.m('MULTIPLY', rv[0], 37.))
    # slow wander of the pith so rings turn into cathedrals on flat faces
    w = n.noise(n.comb(n.m('MULTIPLY', x, .9), n.m('MULTIPLY', y, 2.2), n.m('MULTIPLY', z, 2.2)), 1., 2., .5,
        color=True)
    wv = n.sep(w)
    yy = n.m('ADD', y, n.m('ADD', n.m('MULTIPLY', rv[1], .08), n.m('MULTIPLY_ADD', wv[0], .10, -.02)))
    zz = n.m('ADD', z, n.m('ADD', n.m('MULTIPLY_ADD', rv[2], .10, .05), n.m('MULTIPLY_ADD', wv[1], .10, -.05)))
    rad = n.m('SQRT', n.m('ADD', n.m('MULTIPLY', yy, yy), n.m('MULTIPLY', zz, zz)))
    rings = n.m('DIVIDE', rad, .0075 if not flat else .012)
    wob = n.noise(n.comb(n.m('MULTIPLY', x, 3.), n.m('MULTIPLY', y, 30.), n.m('MULTIPLY', z, 30.)), 1., 3., .6)
    rings = n.m('ADD', rings, n.m('MULTIPLY', wob, 1.1))
    saw = n.m('FRACT', rings)
    ring = n.ramp(saw, [(0., 0.), (.55, .35), (.86, 1.), (1., 0.)], 'EASE')
    year = n.white(n.comb(n.m('FLOOR', rings), 1., 2.))['Value']
    ring = n.m('MULTIPLY', ring, n.m('MULTIPLY_ADD', year, .6, .4))
    # long fibres and open pores
    fib = n.noise(n.comb(n.m('MULTIPLY', x, 7.), n.m('MULTIPLY', y, 420.), n.m('MULTIPLY', z, 420.)), 1., 3., .65)
    fib2 = n.noise(n.comb(n.m('MULTIPLY', x, 1.6), n.m('MULTIPLY', y, 90.), n.m('MULTIPLY', z, 90.)), 1., 3., .6)
    pr = n.noise(n.comb(n.m('MULTIPLY', x, 45.), n.m('MULTIPLY', y, 1100.), n.m('MULTIPLY', z, 1100.)), 1., 1., .5)
    pores = n.remap(pr, .58, .70, 0., 1.)
    pores = n.m('MULTIPLY', pores, n.m('MULTIPLY_ADD', n.m('SUBTRACT', 1., ring), .7, .3))
    f = n.m('MULTIPLY_ADD', ring, contrast * .8, n.m('MULTIPLY', n.m('SUBTRACT', fib, .5), .55))
    f = n.m('ADD', f, n.m('MULTIPLY', n.m('SUBTRACT', fib2, .5), .95))
    f = n.m('ADD', f, .26, clamp=True)
    col = n.ramp(f, [(0., light), (.45, mid), (1., dark)])
    col = n.mix(n.m('MULTIPLY', pores, pore * .75), col, shade(dark, .55))
    tone = n.noise(n.comb(n.m('MULTIPLY', x, .8), n.m('MULTIPLY', y, 4.), n.m('MULTIPLY', z, 4.)), 1., 2.)
    val = n.m('ADD', n.m('MULTIPLY_ADD', tone, .22, .89), n.m('MULTIPLY', n.m('SUBTRACT', rv[1], .5), .14))
    col = n.hsv(col, n.m('MULTIPLY_ADD', rv[2], .008, .496), 1., val)
    rough = n.m('ADD', gloss, n.m('MULTIPLY', fib2, .14))
    h = n.m('SUBTRACT', n.m('MULTIPLY', fib, .35), n.m('MULTIPLY', pores, pore))
    nrm = n.bump(h, .28, .0006)
    return n.surface(n.bsdf(Base_Color=col, Roughness=rough, Specular=.38, Normal=nrm), mid)


@material
def planks(species='oak'):
    """Floor boards: every mesh island gets its own tone and grain offset."""
    light, mid, dark = (lin(c) for c in WOODS[species][:3])
    n = Nodes(f'planks-{species}')
    s = n.sep(n.obj())
    r = n.white(n.comb(n.island(), 5.1, 2.2))
    rv = n.sep(r['Color'])
    x = n.m('ADD', s[0], n.m('MULTIPLY', rv[0], 40.))
    y = n.m('ADD', s[1], n.m('MULTIPLY', rv[1], 40.))
    w = n.noise(n.comb(n.m('MULTIPLY', x, .7), n.m('MULTIPLY', y, 5.), 0.), 1., 3., .5)
    ring = n.m('FRACT', n.m('ADD', n.m('MULTIPLY', y, 28.), n.m('MULTIPLY', w, 9.)))
    ring = n.ramp(ring, [(0., 0.), (.6, .3), (.9, 1.), (1., 0.)], 'EASE')
    fib = n.noise(n.comb(n.m('MULTIPLY', x, 5.), n.m('MULTIPLY', y, 320.), 0.), 1., 3., .65)
    f2 = n.noise(n.comb(n.m('MULTIPLY', x, 1.5), n.m('MULTIPLY', y, 60.), 0.), 1., 3., .6)
    f = n.m('ADD', n.m('MULTIPLY_ADD', ring, .28, .22),
        n.m('ADD', n.m('MULTIPLY_ADD', fib, .5, -.25), n.m('MULTIPLY_ADD', f2, .7, -.35)), clamp=True)
    col = n.ramp(f, [(0., light), (.5, mid), (1., dark)])
    col = n.hsv(col, n.m('MULTIPLY_ADD', rv[2], .012, .494), .92, n.m('MULTIPLY_ADD', rv[0], .26, .84))
    return n.surface(n.bsdf(Base_Color=col, Roughness=n.m('MULTIPLY_ADD', f2, .2, .34), Specular=.4,
        Normal=n.bump(fib, .2, .0008)), shade(mid, .95))


@material
def cord(color='#cfae7d'):
    """Paper cord / rattan: twisted fibres."""
    base = lin(color)
    n = Nodes(f'cord-{color}')
    s = n.sep(n.uv())
    tw = n.m('SINE', n.m('ADD', n.m('MULTIPLY', s[0], 1900.), n.m('MULTIPLY', s[1], 12.566)))
    fb = n.noise(n.obj(), 180., 3., .6)
    r = n.island()
    val = n.m('ADD', n.m('MULTIPLY_ADD', tw, .09, .95), n.m('MULTIPLY_ADD', fb, .25, -.12))
    col = n.hsv(base, .5, 1., n.m('ADD', val, n.m('MULTIPLY', n.m('SUBTRACT', r, .5), .22)))
    return n.surface(n.bsdf(Base_Color=col, Roughness=.62, Specular=.3, Normal=n.bump(tw, .35, .0012)))


@material
def woven(kind, half_x, half_y, middle_y, pitch, color='#cfae7d'):
    """Cords side by side, drawn instead of shaped, for models that must be light. kind: `envelope`, in which they run in from each
    rail to the diagonals, or `basket`, six over and six under. Half the seat's width and depth, and its middle, in metres."""
    n = Nodes(f'woven-{kind}')
    x, y, _ = n.sep(n.obj())
    y = n.m('SUBTRACT', y, middle_y)
    across, along = (n.m('DIVIDE', n.m('ABSOLUTE', v), half) for v, half in ((x, half_x), (y, half_y)))
    if kind == 'envelope':
        runs_along = n.m('GREATER_THAN', along, across)
    else:
        rows = (n.m('FLOOR', n.m('DIVIDE', n.m('ADD', v, half), 6 * pitch)) for v, half in ((x, half_x), (y, half_y)))
        over = n.m('PINGPONG', n.m('ADD', next(rows), next(rows)), 1.)
        # Round the rails there is but one of the two.
        over = n.m('MULTIPLY', over, n.m('LESS_THAN', across, 1.))
        runs_along = n.m('MAXIMUM', over, n.m('GREATER_THAN', along, 1.))
    beside = n.m('MULTIPLY_ADD', n.m('SUBTRACT', x, y), runs_along, y)
    ahead = n.m('SUBTRACT', n.m('ADD', x, y), beside)
    at = n.m('DIVIDE', beside, pitch)
    round_ = n.m('SINE', n.m('MULTIPLY', n.m('FRACT', at), 3.1416))
    number = n.m('ADD', n.m('FLOOR', at), n.m('MULTIPLY', runs_along, 500.))
    each = n.sep(n.white(n.comb(number, 1.7, .3))['Color'])[0]
    twist = n.m('SINE', n.m('MULTIPLY_ADD', ahead, 900., n.m('MULTIPLY', at, 6.283)))
    fibres = n.noise(n.obj(), 180., 3., .6)
    bright = n.m('MULTIPLY_ADD', round_, .38, n.m('MULTIPLY_ADD', twist, .05, n.m('MULTIPLY_ADD', fibres, .25, .50)))
    colour = n.hsv(lin(color), .5, 1., n.m('MULTIPLY_ADD', each, .16, n.m('SUBTRACT', bright, .08)))
    return n.surface(n.bsdf(Base_Color=colour, Roughness=.62, Specular=.3, Normal=n.bump(round_, .8, .0015)))


@material
def cane(color='#d9b985', pitch=.0125):
    """Woven cane webbing with real holes (alpha)."""
    n = Nodes(f'cane-{color}')
    s = n.sep(n.uv())
    u, v = n.m('DIVIDE', s[0], pitch), n.m('DIVIDE', s[1], pitch)

    def band(x, c, w):
        return n.m('LESS_THAN', n.m('ABSOLUTE', n.m('SUBTRACT', n.m('FRACT', x), c)), w)
    a = n.m('MAXIMUM', band(u, .36, .085), band(u, .64, .085))
    b = n.m('MAXIMUM', band(v, .36, .085), band(v, .64, .085))
    d = n.m('MAXIMUM', band(n.m('ADD', u, v), .5, .10), band(n.m('SUBTRACT', u, v), .5, .10))
    mask = n.m('MAXIMUM', n.m('MAXIMUM', a, b), d)
    fib = n.noise(n.uv(), 260., 3., .6)
    col = n.hsv(lin(color), .5, 1., n.m('MULTIPLY_ADD', fib, .5, .72))
    h = n.m('ADD', n.m('MULTIPLY', a, .4), n.m('ADD', n.m('MULTIPLY', b, .6), n.m('MULTIPLY', d, .9)))
    s1 = n.bsdf(Base_Color=col, Roughness=.5, Specular=.35, Normal=n.bump(h, .4, .001))
    return n.surface(n.mixs(mask, n.shader('BsdfTransparent'), s1))


@material
def leaf(color='#7d8a6a', back='#a3ab92'):
    n = Nodes(f'leaf-{color}')
    rv = n.island()
    col = n.mix(n.new('NewGeometry').outputs['Backfacing'], lin(color), lin(back))
    col = n.hsv(col, n.m('MULTIPLY_ADD', rv, .03, .485), 1., n.m('MULTIPLY_ADD', rv, .5, .75))
    d = n.bsdf(Base_Color=col, Roughness=.5, Specular=.3)
    t = n.shader('BsdfTranslucent', Color=col)
    return n.surface(n.mixs(.22, d, t))
