"""The range. A product is the function that builds it; the function's name is its slug."""
from collections import namedtuple

from families import FAMILIES
from furniture import (arc_lamp, armchair, bowl, cabinet, candle_holder, chair, cord_bench, floor_lamp, mushroom_lamp,
    ottoman, padded_bench, slab_bench, slatted_bench, sofa, stems, stool, table, table_lamp, tray, tripod_lamp, vase)
from materials import ceramic, fabric, glass, leather, metal, paint, stone, wood
from shapes import place

PRODUCTS = {}  # slug: Product
Product = namedtuple('Product', 'family build detail swatch sizes colours')


class Shot:
    """A product, or one of its sizes, colours or both, ready to be built."""

    def __init__(self, slug, *variants):
        product = PRODUCTS[slug]
        self.slug, self.variants = slug, variants
        self.family, self.detail, self.swatch = product.family, product.detail, product.swatch
        known = {**product.sizes, **product.colours}
        changes = {name: value for variant in variants for name, value in known[variant].items()}
        self.build = lambda: product.build(**changes)

    def file(self, view='hero'):
        """Name of the picture without its ending."""
        return '-'.join([self.slug, *self.variants, *([] if view == 'hero' else [view])])


def shot(name):
    """`slug`, `slug+size`, `slug+colour` or `slug+size+colour`; raises KeyError for one that is not in the range."""
    return Shot(*name.split('+'))


def sizes():
    """The names of all sizes that have a shape of their own."""
    return [f'{slug}+{size}' for slug, product in PRODUCTS.items() for size in product.sizes]


def colours():
    """The names of all colours beside the first, in every size."""
    return [f'{slug}+{what}' for slug, product in PRODUCTS.items() for colour in product.colours
        for what in (colour, *(f'{size}+{colour}' for size in product.sizes))]


def names():
    """Every product and each of its variants."""
    return [*PRODUCTS, *sizes(), *colours()]


def product(family, detail=None, swatch='', sizes=None, colours=None):
    """Adds a product to the range.

    detail: where the family's own would miss its best side. swatch: what the name of the material begins with that gives
    the product its colour, if that is not the largest. sizes, colours: for each other one the arguments that make it; its
    name becomes part of the picture's."""

    def register(build):
        PRODUCTS[build.__name__.replace('_', '-')] = Product(family, build, detail or FAMILIES[family].get('detail'), swatch,
            sizes or {}, colours or {})
        return build

    return register


def with_branches(build, height, kind='olive', count=4, seed=4, spread=.16, level=.86, bare=0.):
    """A vase of that height with branches standing on `level` of it, without leaves for the first `bare` metres."""
    build()
    stems((0, 0, level * height), count, height * 1.5, spread, kind, seed, bare)


# sofas

@product('sofa', sizes={'two-seat': dict(w=1.68, seats=2, pillow=-.44)},
    colours={'moss': dict(cloth='#75775f', scatter='#b39a6b'), 'slate': dict(cloth='#5f666b', scatter='#b9b2a6')})
def oslo_three_seat_sofa(w=2.24, seats=3, pillow=-.70, cloth='#b9b2a6', scatter='#8f6a50'):
    sofa(w, fabric=fabric(cloth, 'wool'), seats=seats, pillows=((pillow, .46, fabric(scatter, 'linen'), 12, 3),))


@product('sofa', detail=((-.95, -.30, .44), .46, dict(az=36, el=24)), sizes={'four-seat': dict(w=2.95, seats=4, pillow=1.05)})
def haven_boucle_sofa(w=2.45, seats=3, pillow=.80):
    sofa(w, .96, .74, fabric=fabric('#dcd4c6', 'boucle'), seats=seats, arm_w=.19, arm_h=.58, legs='plinth', leg_h=.07,
        leg_mat=wood('walnut', 'X'), seat_h=.42, piping=False,
        pillows=((pillow, .48, fabric('#e9e2d5', 'linen'), -10, 8),))


@product('sofa')
def carrick_leather_sofa():
    sofa(1.98, .90, .74, fabric=leather('#8a5430'), seats=2, legs='sled', leg_mat=metal('black'), back='pillow',
        arm_w=.12, leg_h=.16)


@product('sofa', colours={'rust': dict(cloth='#8f4f35'), 'midnight': dict(cloth='#39465a')})
def wren_velvet_sofa(cloth='#5f6b52'):
    sofa(1.86, .88, .74, fabric=fabric(cloth, 'velvet'), seats=2, legs='taper', leg_mat=wood('walnut', 'Z'),
        back='tight', arm_w=.14, arm_h=.56)


@product('sofa', sizes={'two-seat': dict(w=1.76)})
def skye_linen_sofa(w=2.30):
    sofa(w, .94, .76, fabric=fabric('#e4dccd', 'linen'), seats=2, back='pillow', legs='block',
        leg_mat=wood('oak', 'Z'), leg_h=.12, arm_w=.15)


@product('sofa')
def rowan_wool_sofa():
    sofa(2.16, .88, .75, fabric=fabric('#9b5d42', 'wool'), legs='taper', leg_mat=wood('walnut', 'Z'), arm_w=.10,
        arm_h=.57, arm_r=.04)


# lounge chairs and ottomans

@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)), swatch='fabric')
def elgin_boucle_armchair():
    armchair(fabric=fabric('#dcd4c6', 'boucle'), wood='walnut')


@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)), swatch='leather')
def elgin_leather_armchair():
    armchair(fabric=leather('#8d5836'), wood='oak')


@product('armchair', detail=((-.2, -.24, .48), .36, dict(az=40, el=20)), colours={'sage': dict(cloth='#8d9480')}, swatch='fabric')
def elgin_linen_armchair(cloth='#a9a08f'):
    armchair(fabric=fabric(cloth, 'linen'), wood='black')


@product('armchair', detail=((-.1, -.22, .36), .3, dict(az=30, el=22)), sizes={'large': dict(w=.80)}, swatch='fabric')
def dune_velvet_footstool(w=.62):
    ottoman(w, fabric=fabric('#7b8069', 'velvet'))


# chairs

@product('chair', swatch='wood')
def hythe_cord_chair():
    chair()


@product('chair')
def marsh_spindle_chair():
    chair(back='spindle', seat='wood', wood='black')


@product('chair', swatch='fabric')
def alder_carver_chair():
    chair(back='panel', seat='pad', wood='walnut', fabric=fabric('#c4b69f', 'wool'), arms=True, w=.56)


@product('chair', swatch='leather')
def fenn_ladder_back_chair():
    chair(back='double', seat='pad', wood='ash', fabric=leather('#3a2c24'))


@product('chair', detail=((.02, -.04, .42), .24, dict(az=30, el=22)), sizes={'bar': dict(r=.18, h=.65)})
def tarn_oak_stool(r=.18, h=.46):
    stool(r, h, 'oak')


# benches

@product('bench', sizes={'long': dict(w=1.60)}, swatch='wood')
def hythe_cord_bench(w=1.30):
    cord_bench(w)


@product('bench', sizes={'long': dict(w=1.80)})
def brook_walnut_bench(w=1.40):
    slab_bench(w, .36, .45, 'walnut')


@product('bench', swatch='fabric')
def mossley_upholstered_bench():
    padded_bench(1.20, .40, .46, 'oak', fabric('#8c8f7c', 'wool'))


@product('bench')
def quay_slatted_bench():
    slatted_bench(1.30, .40, .44, 'black')


# tables

@product('table')
def pebble_coffee_table():
    table(.95, .70, .36, 'pebble', 'walnut', 'drum', t=.03)


@product('table', sizes={'large': dict(w=1.0)})
def orla_round_coffee_table(w=.80):
    table(w, None, .40, 'round', 'oak', 'taper')


@product('table', detail=((.07, -.14, .515), .17, dict(az=24, el=34)), swatch='stone')
def siena_side_table():
    table(.45, None, .52, 'round', 'oak', 'column', top_mat=stone('travertine'), t=.022)


# storage

FLUTED = (('fluted', 1.),)
DRAWERS = (('door', .72), ('drawer', .14), ('drawer', .14))


@product('wardrobe', sizes={'wide': dict(w=2.0, columns=(FLUTED, DRAWERS, DRAWERS, FLUTED))})
def aldous_fluted_wardrobe(w=1.50, columns=(FLUTED, DRAWERS, FLUTED)):
    cabinet(w, columns=columns)


@product('wardrobe')
def kestrel_walnut_wardrobe():
    cabinet(1.10, .58, 2.0, columns=((('door', .80), ('drawer', .20)), (('door', .80), ('drawer', .20))), wood='walnut',
        handle='bar', leg='frame', leg_h=.14)


@product('wardrobe', swatch='wood')
def camber_cane_wardrobe():
    cabinet(1.10, .56, 1.98, columns=((('cane', .78), ('drawer', .22)), (('cane', .78), ('drawer', .22))), wood='oak',
        leg='taper', leg_h=.16)


@product('wardrobe', sizes={'two-door': dict(w=1.0, doors=2)},
    colours={'sage': dict(colour='#a3a893'), 'midnight': dict(colour='#3f4a55')})
def linton_painted_wardrobe(w=1.50, doors=3, colour='#e6e0d5'):
    cabinet(w, .58, 2.10, columns=((('frame', 1.),),) * doors, body=paint(colour),
        handle='bar', leg='plinth')


@product('cabinet', swatch='wood')
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

@product('lamp', swatch='ceramic')
def callow_ceramic_lamp():
    table_lamp()


@product('lamp', detail=((.03, 0, .22), .28, dict(az=20, el=8)), swatch='ceramic')
def terra_table_lamp():
    table_lamp('sphere', r=.12, base_h=.24, base_mat=ceramic('#a8603f', 'raw'), shade_r=(.14, .18), shade_h=.20)


@product('lamp', swatch='opal')
def halo_mushroom_lamp():
    mushroom_lamp(r=.15, h=.38, power=.36)


@product('floorlamp', swatch='metal')
def fable_brass_floor_lamp():
    floor_lamp(h=1.58, power=3.)


@product('floorlamp', detail=((.02, 0, 1.26), .44, dict(az=20, el=2)), swatch='wood')
def heron_tripod_lamp():
    tripod_lamp(power=3.)


@product('floorlamp', detail=((.96, 0, 1.47), .46, dict(az=24, el=-2)), swatch='metal')
def arden_arc_lamp():
    arc_lamp(power=8.)


# decor

@product('decor', detail=((.01, 0, .26), .24, dict(az=25, el=14)), sizes={'small': dict(w=.15, h=.18)}, swatch='ceramic')
def moon_stoneware_vase(w=.20, h=.25):
    with_branches(lambda: vase('moon', w, h, ceramic('#ddd3c2', 'matte', .8)), h)


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


@product('decor', detail=((0, 0, .12), .19, dict(az=22, el=14)), swatch='metal')
def ember_candle_holders():
    place(lambda: candle_holder('stick', .16), (-.05, .02, 0))
    place(lambda: candle_holder('ball', .11), (.05, -.02, 0))


@product('tray', detail=((.01, -.03, .06), .22, dict(az=25, el=36)), sizes={'small': dict(w=.20, h=.07)})
def heath_stoneware_bowl(w=.28, h=.085):
    bowl(w, h, ceramic('#cfc3b0', 'satin', 1., second='#9a8a72'))


@product('tray', detail=((.13, -.03, .03), .2, dict(az=32, el=30)), swatch='wood')
def orchard_walnut_tray():
    tray(.40, mat=wood('walnut', 'X'), handles=metal('brass'))


@product('tray', detail=((.07, -.03, .01), .19, dict(az=28, el=34)))
def siena_travertine_tray():
    tray(.36, rim=.022, mat=stone('travertine'), shape='rect')


# sets: each part in its first size and colour

@product('set', swatch='wood')
def tarn_bedside_tables_pair():
    for x in (-.34, .34):
        place(tarn_bedside_table, (x, 0, 0))


@product('set', swatch='fabric')
def elgin_armchair_dune_footstool():
    place(elgin_boucle_armchair, (-.36, .16, 0))
    place(dune_velvet_footstool, (.44, -.28, 0))
