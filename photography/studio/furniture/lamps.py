"""Table lamps and floor lamps, lit."""
import materials
import shapes

BASES = {  # outlines of table-lamp bodies: (r, z) as fractions of the greatest radius and of the height
    'gourd': [(.62, 0), (.70, .02), (.95, .16), (1., .30), (.84, .48), (.50, .60), (.46, .66), (.56, .78), (.52, .90),
              (.26, .985), (.20, 1.)],
    'sphere': [(.42, 0), (.62, .03), (.90, .22), (1., .48), (.90, .74), (.58, .93), (.24, .99), (.20, 1.)],
}


def linen_drum(r_top, r_bottom, height, z, hub):
    """A linen shade with a wire in each rim, carried by three spokes from the hub's height."""
    cloth = materials.shade_cloth()
    shapes.lathe([(r_bottom, z), ((r_top + r_bottom) / 2, z + height / 2), (r_top, z + height)], cloth, smooth=False,
        seg=128, name='shade')
    for radius, level in ((r_bottom, z), (r_top, z + height)):
        shapes.tube(shapes.around(120, radius, level), .0022, cloth, cyclic=True)
    for end in shapes.around(3, r_top * .995, z + height - .004):
        shapes.tube([(0, 0, hub), end], .0017, materials.metal('brass'))


def bulb(z, power, loc=(0, 0, 0)):
    """Frosted bulb, 7.5 cm tall, standing on z."""
    shapes.lathe([(0, z), (.022, z + .015), (.028, z + .04), (.018, z + .068), (0, z + .075)],
        materials.emitter('#ffcf94', 16. * power), loc, n=6, seg=32)


def table_lamp(base='gourd', r=.11, base_h=.30, base_mat=None, shade_r=(.15, .19), shade_h=.22, power=1.):
    """A thrown body, a brass neck and finial, a linen shade (radius at top and bottom)."""
    brass = materials.metal('brass')
    body = [(r * a, base_h * b) for a, b in BASES[base]]
    foot = (body[0][0] * .92, 0)
    shapes.lathe([(0, 0), foot, foot] + body, base_mat or materials.ceramic('#e6dfd2', 'matte', .5), n=10,
        wobble=.004)
    z = base_h
    shapes.lathe([(0, z - .004), (.016, z - .004), (.016, z - .004), (.016, z + .012), (.016, z + .012),
        (.008, z + .016), (.008, z + .05), (.014, z + .052), (.014, z + .09), (0, z + .09)], brass, smooth=False,
        seg=40)
    z += .025
    bulb(z + .07, power)
    top = z + shade_h
    linen_drum(*shade_r, shade_h, z, top - .022)
    shapes.lathe([(0, top - .03), (.011, top - .03), (.011, top - .018), (.005, top - .012), (.0075, top + .006),
        (0, top + .012)], brass, n=4, seg=32)


def mushroom_lamp(r=.15, h=.36, power=1.):
    """A glowing dome of opal glass on a lacquered stem."""
    shapes.lathe([(0, 0), (r * .52, 0), (r * .52, 0), (r * .53, .006), (r * .50, .018), (r * .22, .04), (r * .155, .08),
        (r * .15, h * .62), (r * .17, h * .70), (0, h * .70)], materials.metal('#e9e3d6'), n=10)
    rim = [(0, h * .645), (r * .9, h * .63), (r * .985, h * .625), (r, h * .65)]
    dome = [(r * .995, h * .66), (r * .93, h * .80), (r * .72, h * .92), (r * .40, h * .985), (0, h)]
    shapes.lathe(rim + dome, materials.opal('#ffc884', .55 * power), n=10, seg=128)


def floor_lamp(shade_r=(.17, .23), shade_h=.28, h=1.55, metal=None, power=1.):
    """A straight stem on a weighted round foot."""
    z = h - shade_h
    shapes.lathe([(0, 0), (.14, 0), (.14, 0), (.142, .004), (.142, .012), (.136, .018), (.03, .024), (.011, .035),
        (.0085, .06), (.0085, z + .06), (0, z + .06)], metal or materials.metal('brass'), smooth=False, seg=96)
    bulb(z + .055, power)
    linen_drum(*shade_r, shade_h, z, z + .055)


def tripod_lamp(shade_r=(.21, .25), shade_h=.30, h=1.50, wood='oak', power=1.):
    """Three turned legs that meet in a brass collar."""
    z = h - shade_h
    for top, foot in zip(shapes.around(3, .025, z - .04, .52), shapes.around(3, .30, 0, .52)):
        shapes.leg(top, foot, .016, .011, materials.wood(wood, 'Z'), swell=.003)
    shapes.lathe([(0, z - .10), (.032, z - .10), (.034, z - .09), (.034, z - .035), (.03, z - .03), (.009, z - .02),
        (.009, z + .06), (0, z + .06)], materials.metal('brass'), smooth=False, seg=48)
    bulb(z + .055, power)
    linen_drum(*shade_r, shade_h, z, z + .055)


def arc_lamp(r=.13, h=1.85, reach=1.0, power=1.):
    """A brass dome on an arm that springs from a disc of marble."""
    brass = materials.metal('brass')
    shapes.lathe([(0, 0), (.155, 0), (.155, 0), (.16, .006), (.16, .05), (.152, .058), (.152, .058), (0, .058)],
        materials.stone('marble'), smooth=False, seg=96)
    z = h * .80
    arm = [(0, 0, .05), (0, 0, h * .5), (.10, 0, h * .82), (.42, 0, h * .985), (.78, 0, h * .93), (reach, 0, z)]
    shapes.tube(shapes.catmull(arm, 14), .0095, brass, res=8)
    r *= 1.45
    outside = [(r, z - r * .80), (r * .985, z - r * .62), (r * .84, z - r * .26), (r * .52, z - r * .05), (r * .12, z),
        (0, z)]
    inside = [(a * .985, b - .0025) for a, b in reversed(outside)]
    shapes.lathe(outside + [outside[-1]] + inside, brass, (reach, 0, 0), n=10, seg=128)
    shapes.lathe([(0, z - r * .75), (.035, z - r * .70), (.045, z - r * .5), (.03, z - r * .3), (0, z - r * .28)],
        materials.emitter('#ffd7a0', 25. * power), (reach, 0, 0), n=6)
