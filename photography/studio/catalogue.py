"""The range. A product is the function that builds it; the function's name is its slug."""
from families import FAMILIES
from furniture import (arc_lamp, armchair, bowl, cabinet, candle_holder, chair, cord_bench, floor_lamp, mushroom_lamp,
    ottoman, padded_bench, slab_bench, slatted_bench, sofa, stems, stool, table, table_lamp, tray, tripod_lamp, vase)
from materials import ceramic, fabric, glass, leather, metal, paint, stone, wood
from shapes import place

PRODUCTS = {}  # slug: (family, build, detail)


def product(family, detail=None):
    """Adds a product to the range; `detail` where the family's own would miss its best side."""

    def register(build):
        PRODUCTS[build.__name__.replace('_', '-')] = family, build, detail or FAMILIES[family]['detail']
        return build

    return register


def with_branches(build, height, kind='olive', count=4, seed=4, spread=.16, level=.86, bare=0.):
    """A vase of that height with branches standing on `level` of it, without leaves for the first `bare` metres."""
    build()
    stems((0, 0, level * height), count, height * 1.5, spread, kind, seed, bare)


# sofas

@product('sofa')
def oslo_three_seat_sofa():
    sofa(2.24, fabric=fabric('#b9b2a6', 'wool'), pillows=((-.70, .46, fabric('#8f6a50', 'linen'), 12, 3),))


@product('sofa')
def haven_boucle_sofa():
    sofa(2.45, .96, .74, fabric=fabric('#dcd4c6', 'boucle'), arm_w=.19, arm_h=.58, legs='plinth', leg_h=.07,
        leg_mat=wood('walnut', 'X'), seat_h=.42, piping=False,
        pillows=((.80, .48, fabric('#e9e2d5', 'linen'), -10, 8),))


@product('sofa')
def carrick_leather_sofa():
    sofa(1.98, .90, .74, fabric=leather('#8a5430'), seats=2, legs='sled', leg_mat=metal('black'), back='pillow',
        arm_w=.12, piping=False, leg_h=.16)


@product('sofa')
def wren_velvet_sofa():
    sofa(1.86, .88, .74, fabric=fabric('#5f6b52', 'velvet'), seats=2, legs='taper', leg_mat=wood('walnut', 'Z'),
        back='tight', arm_w=.14, arm_h=.56)


@product('sofa')
def skye_linen_sofa():
    sofa(2.30, .94, .76, fabric=fabric('#e4dccd', 'linen'), seats=2, back='pillow', legs='block',
        leg_mat=wood('oak', 'Z'), leg_h=.12, arm_w=.15)


@product('sofa')
def rowan_wool_sofa():
    sofa(2.16, .88, .75, fabric=fabric('#9b5d42', 'wool'), legs='taper', leg_mat=wood('walnut', 'Z'), arm_w=.10,
        arm_h=.57, arm_r=.04)


# lounge chairs and ottomans

@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)))
def elgin_boucle_armchair():
    armchair(fabric=fabric('#dcd4c6', 'boucle'), wood='walnut')


@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)))
def elgin_leather_armchair():
    armchair(fabric=leather('#8d5836'), wood='oak')


@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)))
def elgin_linen_armchair():
    armchair(fabric=fabric('#a9a08f', 'linen'), wood='black')


@product('armchair', detail=((-.1, -.22, .36), .3, dict(az=30, el=22)))
def dune_velvet_footstool():
    ottoman(fabric=fabric('#7b8069', 'velvet'))


# chairs

@product('chair')
def hythe_cord_chair():
    chair()


@product('chair')
def marsh_spindle_chair():
    chair(back='spindle', seat='wood', wood='black')


@product('chair')
def alder_carver_chair():
    chair(back='panel', seat='pad', wood='walnut', fabric=fabric('#c4b69f', 'wool'), arms=True, w=.56)


@product('chair')
def fenn_ladder_back_chair():
    chair(back='double', seat='pad', wood='ash', fabric=leather('#3a2c24'))


@product('chair', detail=((.02, -.04, .42), .24, dict(az=30, el=22)))
def tarn_oak_stool():
    stool(.18, .46, 'oak')


# benches

@product('bench')
def hythe_cord_bench():
    cord_bench()


@product('bench')
def brook_walnut_bench():
    slab_bench(1.40, .36, .45, 'walnut')


@product('bench')
def mossley_upholstered_bench():
    padded_bench(1.20, .40, .46, 'oak', fabric('#8c8f7c', 'wool'))


@product('bench')
def quay_slatted_bench():
    slatted_bench(1.30, .40, .44, 'black')


# tables

@product('table')
def pebble_coffee_table():
    table(.95, .70, .36, 'pebble', 'walnut', 'drum', t=.03)


@product('table')
def orla_round_coffee_table():
    table(.80, None, .40, 'round', 'oak', 'taper')


@product('table', detail=((.06, -.1, .49), .22, dict(az=28, el=16)))
def siena_side_table():
    table(.45, None, .52, 'round', 'oak', 'column', top_mat=stone('travertine'), t=.022)


# storage

@product('wardrobe')
def aldous_fluted_wardrobe():
    cabinet(columns=((('fluted', 1.),), (('door', .72), ('drawer', .14), ('drawer', .14)), (('fluted', 1.),)))


@product('wardrobe')
def kestrel_walnut_wardrobe():
    cabinet(1.10, .58, 2.0, columns=((('door', .80), ('drawer', .20)), (('door', .80), ('drawer', .20))), wood='walnut',
        handle='bar', leg='frame', leg_h=.14)


@product('wardrobe')
def camber_cane_wardrobe():
    cabinet(1.10, .56, 1.98, columns=((('cane', .78), ('drawer', .22)), (('cane', .78), ('drawer', .22))), wood='oak',
        leg='taper', leg_h=.16)


@product('wardrobe')
def linton_painted_wardrobe():
    cabinet(1.50, .58, 2.10, columns=((('frame', 1.),),) * 3, body=paint('#e6e0d5'),
        handle='bar', leg='plinth')


@product('cabinet')
def camber_cane_sideboard():
    cabinet(1.60, .42, .72, columns=((('cane', 1.),), (('drawer', 1 / 3),) * 3, (('cane', 1.),)), leg='frame',
        leg_h=.16)


@product('cabinet')
def aldous_fluted_sideboard():
    cabinet(1.70, .42, .68, columns=((('fluted', 1.),),) * 4, wood='walnut', handle='none', leg='metal', leg_h=.14)


@product('nightstand')
def tarn_bedside_table():
    cabinet(.48, .40, .52, columns=((('open', .45), ('drawer', .55)),), leg='taper', leg_h=.20)


# lamps

@product('lamp')
def callow_ceramic_lamp():
    table_lamp()


@product('lamp', detail=((.03, 0, .22), .28, dict(az=20, el=8)))
def terra_table_lamp():
    table_lamp('sphere', r=.12, base_h=.24, base_mat=ceramic('#a8603f', 'raw'), shade_r=(.14, .18), shade_h=.20)


@product('lamp')
def halo_mushroom_lamp():
    mushroom_lamp(r=.15, h=.38)


@product('floorlamp')
def fable_brass_floor_lamp():
    floor_lamp(h=1.58)


@product('floorlamp', detail=((.02, 0, 1.26), .44, dict(az=20, el=2)))
def heron_tripod_lamp():
    tripod_lamp()


@product('floorlamp', detail=((.96, 0, 1.47), .46, dict(az=24, el=-2)))
def arden_arc_lamp():
    arc_lamp()


# decor

@product('decor', detail=((.01, 0, .26), .24, dict(az=25, el=14)))
def moon_stoneware_vase():
    with_branches(lambda: vase('moon', .20, .25, ceramic('#ddd3c2', 'matte', .8)), .25)


@product('decor')
def cairn_terracotta_vase():
    vase('stack', .15, .30, ceramic('#b0653f', 'raw'))


@product('decor')
def loch_bottle_vase():
    vase('bottle', .15, .30, ceramic('#39463f', 'gloss', second='#76887a'))


@product('decor', detail=((0, -.02, .20), .20, dict(az=25, el=14)))
def ripple_glass_vase():
    with_branches(lambda: vase('tulip', .14, .24, glass('#f8fbf9'), wall=.004, wobble=.002), .24, 'eucalyptus', 5, 6,
        .06, .10, bare=.21)


@product('decor', detail=((0, 0, .12), .19, dict(az=22, el=14)))
def ember_candle_holders():
    place(lambda: candle_holder('stick', .16), (-.05, .02, 0))
    place(lambda: candle_holder('ball', .11), (.05, -.02, 0))


@product('tray', detail=((.01, -.03, .06), .22, dict(az=25, el=36)))
def heath_stoneware_bowl():
    bowl(.28, .085, ceramic('#cfc3b0', 'satin', 1., second='#9a8a72'))


@product('tray', detail=((.13, -.03, .03), .2, dict(az=32, el=30)))
def orchard_walnut_tray():
    tray(.40, mat=wood('walnut', 'X'), handles=metal('brass'))


@product('tray', detail=((.07, -.03, .01), .19, dict(az=28, el=34)))
def siena_travertine_tray():
    tray(.36, rim=.022, mat=stone('travertine'), shape='rect')
