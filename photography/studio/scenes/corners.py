"""Corners of rooms, each round one piece of the range."""
from math import cos, pi, sin

import bpy

import furniture
import materials
import shapes
from scenes.architecture import BACK, WALL, WINDOW, curtain, daylight, evening, eye, overcast, shell, wainscot, wood_panels
from scenes.dressing import (bed, branches, framed_print, hills_print, leaf_print, pebbles_print, pegs, rug, shelf, stand, sunrise_print,
    upright_books)


def look(at, distance, height, turn=0., width=1.6, fstop=0.):
    """Camera `distance` before the point `at`, so that `width` metres fill the frame there; with an fstop the rest is soft."""
    x, y, z = at
    lens = 50
    sensor = lens * width / distance
    shift = (z - height) / width
    eye((x, y - distance, height), turn=turn, sensor=sensor, shift=(0, shift), lens=lens)
    if fstop:
        dof = bpy.context.scene.camera.data.dof
        dof.use_dof, dof.aperture_fstop, dof.focus_distance = True, fstop, distance


CORNERS = {}  # the product's slug: the function that builds its corner, and the level of its light
DAY, GREY, DUSK = .40, .34, .17


def corner(slug, mid=DAY):
    def register(build):
        CORNERS[slug] = build, mid
        return build
    return register


def table_top(wood, z=.74):
    shapes.place(lambda: furniture.slab_bench(1.8, .80, z, wood), (0, .90, 0))


def round_print(loc):
    """Two circles that touch."""

    def disc(x, y, r):
        return [(x + r * cos(a * pi / 8), y + r * .75 * sin(a * pi / 8)) for a in range(16)]
    framed_print(.60, .80, loc, [('#39465a', disc(-.12, .22, .52)), ('#c98f5e', disc(.18, -.42, .44))])


def stripes_print(loc):
    """Four uneven bands."""

    def band(top, bottom):
        return [(-.78, top), (0, top + .04), (.78, top - .02), (.78, bottom), (0, bottom + .05), (-.78, bottom - .03)]
    framed_print(.90, .64, loc, [('#8f5b44', band(.72, .46)), ('#d9b98a', band(.32, .1)), ('#6d7566', band(-.06, -.3)), ('#2f3d44', band(-.46, -.74))])


@corner('camber-cane-sideboard')
def cane_sideboard():
    shell('#d9d8cb')
    daylight(5.)
    rug(2.2, 1.2, (0, .35), '#cdbf9f')
    stand('camber-cane-sideboard', (0, 1.48, 0))
    stand('callow-ceramic-lamp', (-.58, 1.48, .72))
    stand('ripple-glass-vase', (.56, 1.46, .72))
    furniture.books((.18, 1.46, .72), ((.26, .19, .03, '#39465a'), (.22, .16, .02, '#d8cdbb'), (.2, .15, .018, '#a98f63')), 4)
    stripes_print((.06, WALL, 1.52))
    look((0, 1.48, .86), 3.6, 1.1, width=2.05)


@corner('aldous-fluted-sideboard', DUSK)
def fluted_sideboard():
    shell('#b9846a', 'smoked')
    evening()
    rug(2.2, 1.2, (0, .35), '#8f8468')
    stand('aldous-fluted-sideboard', (0, 1.48, 0))
    shapes.place(lambda: furniture.mushroom_lamp(r=.15, h=.38, power=3.), (.55, 1.46, .68))
    stand('cairn-terracotta-vase', (-.55, 1.46, .68))
    upright_books(.34, (-.28, 1.46, .68), 6)
    round_print((-.30, WALL, 1.50))
    pebbles_print((.40, WALL, 1.50))
    look((0, 1.48, .84), 3.6, 1.1, width=2.15)


@corner('callow-ceramic-lamp', GREY)
def callow_lamp():
    shell('#c9cdbd')
    overcast()
    shapes.place(lambda: furniture.cabinet(1.2, .42, .72, columns=((('drawer', 1.),),) * 2, wood='oak', leg='taper', leg_h=.16), (0, 1.46, 0))
    shapes.place(lambda: furniture.table_lamp(power=9.), (.16, 1.44, .72))
    furniture.books((-.24, 1.42, .72), ((.24, .17, .03, '#8f5b44'), (.2, .15, .02, '#cfc4b2')), 4)
    stand('heath-stoneware-bowl+small', (-.24, 1.42, .775))
    leaf_print((-.26, WALL, 1.36))
    look((.02, 1.44, 1.02), 2.6, 1.08, width=.98)


@corner('halo-mushroom-lamp', .15)
def halo_lamp():
    shell('#5d6a66', 'smoked')
    evening()
    shapes.place(lambda: furniture.cabinet(1.2, .42, .68, columns=((('fluted', 1.),),) * 3, wood='walnut', leg='metal', leg_h=.14, handle='none'), (0, 1.46, 0))
    shapes.place(lambda: furniture.mushroom_lamp(r=.15, h=.38, power=.16), (.10, 1.44, .68))
    furniture.books((-.30, 1.44, .68), ((.26, .18, .03, '#d8cdbb'), (.22, .16, .024, '#a98f63')), 7)
    stand('siena-travertine-tray', (.42, 1.38, .68))
    sunrise_print((-.30, WALL, 1.34))
    look((.02, 1.44, .94), 2.5, 1.0, width=.92)


def chair_at_table(slug, wall, wood, turn, light=daylight, boards='oak', mid=DAY):
    """A chair at a table of that wood, on which the function puts things."""
    def register(dress):
        @corner(slug, mid)
        def build():
            shell(wall, boards)
            light()
            table_top(wood)
            stand(slug, (.02, .26, 0), turn)
            dress()
            look((0, .35, .62), 3.4, 1.05, width=1.42)
    return register


@chair_at_table('hythe-cord-chair', '#e0d6c4', 'oak', 150)
def hythe_chair():
    stand('moon-stoneware-vase', (-.38, .86, .74))
    stand('heath-stoneware-bowl', (.32, .92, .74))
    hills_print((.0, WALL, 1.52))


@chair_at_table('marsh-spindle-chair', '#c7cfcd', 'oak', 146, overcast, 'ash')
def marsh_chair():
    stand('ember-candle-holders', (.30, .88, .74))
    furniture.books((-.36, .86, .74), ((.24, .17, .028, '#596052'), (.2, .15, .02, '#d8cdbb')), 5)
    round_print((-.28, WALL, 1.52))
    leaf_print((.40, WALL, 1.52))


@chair_at_table('fenn-ladder-back-chair', '#d9c3ac', 'walnut', 148)
def fenn_chair():
    stand('loch-bottle-vase', (.36, .88, .74))
    stand('orchard-walnut-tray', (-.30, .90, .74))
    stripes_print((.04, WALL, 1.55))


@chair_at_table('alder-carver-chair', '#7d8471', 'walnut', 34, overcast, mid=GREY)
def alder_chair():
    furniture.books((.36, .90, .74), ((.26, .18, .03, '#39465a'), (.22, .16, .024, '#cfc4b2'), (.2, .14, .02, '#8f5b44')), 3)
    shapes.place(lambda: furniture.table_lamp(power=8.), (-.46, .96, .74))
    shelf(1.1, (.1, BACK - .12, 1.55), 'walnut', 5)


def armchair_corner(slug, wall, rug_colour, light, boards='oak'):
    """An armchair on a rug, with what the function puts round it."""
    def register(dress):
        @corner(slug)
        def build():
            shell(wall, boards)
            light()
            rug(2.4, 1.7, (.05, .35), rug_colour)
            stand(slug, (.05, .70, .022), -24)
            dress()
            look((.08, .7, .68), 3.9, 1.1, width=1.72)
    return register


@armchair_corner('elgin-boucle-armchair', '#cfc2ae', '#e2dac9', daylight)
def elgin_boucle():
    shapes.place(lambda: furniture.tripod_lamp(power=3.), (.84, 1.30, 0))
    stand('dune-velvet-footstool', (-.52, -.02, .022))
    sunrise_print((-.46, WALL, 1.55))
    branches((-.78, 1.42, 0), .36, .22, '#8f6a50', 'eucalyptus')


@armchair_corner('elgin-linen-armchair', '#e6e2d8', '#9aa08f', overcast, 'ash')
def elgin_linen():
    stand('siena-side-table', (.78, .92, 0))
    furniture.books((.78, .92, .52), ((.22, .16, .026, '#8f5b44'), (.19, .14, .02, '#d8cdbb')), 3)
    wainscot('#a9b0a4', 1.05)
    round_print((-.2, WALL - .02, 1.60))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    branches((-.74, 1.36, 0), .40, .24)


@corner('dune-velvet-footstool')
def dune_stool():
    shell('#d8cdbd')
    daylight(6.)
    rug(2.4, 1.7, (.05, .35), '#e2dac9')
    stand('dune-velvet-footstool', (-.10, .20, .022), 20)
    stand('elgin-linen-armchair', (.60, 1.05, .022), -18)
    leaf_print((-.55, WALL, 1.40))
    shapes.pillow(.4, .4, materials.fabric('#b9683f', 'linen'), (.58, .94, .68), (-.38, .03, .1), seed=4)
    look((.05, .3, .46), 3.2, 1.0, width=1.36)


@corner('quay-slatted-bench')
def quay_bench():
    shell('#9fb0ad', 'oak')
    daylight(5.)
    stand('quay-slatted-bench', (0, 1.38, 0))
    pegs(1.2, (0, BACK - .03, 1.56), 'walnut', 5)
    shapes.pillow(.42, .42, materials.fabric('#c98f5e', 'linen'), (-.42, 1.40, .64), (-.25, .02, .1), seed=6)
    furniture.books((.40, 1.38, .44), ((.24, .17, .028, '#39465a'), (.21, .15, .02, '#d8cdbb')), 3)
    branches((.86, 1.40, 0), .34, .22, '#d9cfbf', 'eucalyptus')
    rug(1.7, .8, (0, .62), '#b7a68a')
    look((0, 1.38, .80), 3.6, 1.1, width=1.86)


@corner('tarn-oak-stool')
def tarn_stool():
    shell('#e3d7c6')
    daylight(6.)
    shapes.place(lambda: furniture.slab_bench(1.7, .62, .9, 'oak'), (.25, 1.30, 0))
    stand('tarn-oak-stool+bar', (-.22, .72, 0))
    stand('tarn-oak-stool', (.42, .62, 0), 30)
    stand('ripple-glass-vase', (.30, 1.28, .9))
    stand('siena-travertine-tray', (-.25, 1.24, .9))
    stripes_print((.02, WALL, 1.60))
    look((.08, .7, .66), 3.4, 1.15, width=1.5)


@corner('siena-side-table')
def siena_table():
    shell('#8c9a92', 'oak')
    overcast()
    stand('siena-side-table', (-.10, .95, 0))
    furniture.books((-.16, .93, .52), ((.2, .15, .024, '#d8cdbb'), (.17, .13, .018, '#8f5b44')), 3)
    stand('ember-candle-holders', (-.02, 1.02, .52))
    stand('skye-linen-sofa', (1.22, 1.05, 0))
    shapes.pillow(.44, .44, materials.fabric('#b9683f', 'linen'), (.42, .90, .66), (-.4, .02, .1), seed=8)
    pebbles_print((-.12, WALL, 1.50))
    rug(2.4, 1.2, (.3, .0), '#cdbf9f')
    look((.04, .95, .66), 3.0, .98, width=1.28)


@corner('tarn-bedside-table')
def tarn_bedside():
    shell('#b7bdb0')
    daylight(4.)
    shapes.place(lambda: bed(1.6, 'oak', '#ece5d8', '#a8674a', '#cfc4b2'), (1.18, .62, 0))
    stand('tarn-bedside-table', (-.02, 1.48, 0))
    shapes.place(lambda: furniture.table_lamp('sphere', r=.12, base_h=.24, base_mat=materials.ceramic('#a8603f', 'raw'), shade_r=(.14, .18),
        shade_h=.20, power=6.), (-.08, 1.48, .52))
    furniture.books((.10, 1.42, .52), ((.18, .13, .026, '#39465a'),), 3)
    hills_print((-.06, WALL, 1.62))
    look((.08, 1.46, .74), 3.2, 1.05, width=1.26)


@corner('tarn-bedside-tables-pair')
def tarn_bedside_pair():
    shell('#d2cbb9')
    daylight(4.)
    rug(2.6, 1.6, (0, -.05), '#d6ccba')
    shapes.place(lambda: bed(1.35, 'oak', '#ece5d8', '#6f7f72', '#b7ad9b'), (0, .62, 0))
    for x in (-1.04, 1.04):
        stand('tarn-bedside-table', (x, 1.46, 0))
        stand('callow-ceramic-lamp', (x, 1.48, .52))
    hills_print((0, WALL, 1.72))
    look((0, 1.3, 1.02), 4.6, 1.5, width=2.72)


def still_life(slug, wall, wood, light=daylight, width=.74, height=1.02, mid=DAY):
    """Small things that the function puts on a table, before a wall that is out of focus."""
    def register(dress):
        @corner(slug, mid)
        def build():
            shell(wall)
            light()
            table_top(wood)
            dress()
            look((0, .80, .90), 1.9, height, width=width, fstop=2.8)
    return register


@still_life('moon-stoneware-vase', '#d7c8b2', 'oak', width=.86)
def moon_vase():
    stand('moon-stoneware-vase', (.02, .82, .74))
    stand('heath-stoneware-bowl+small', (-.22, .76, .74))
    sunrise_print((.22, WALL, 1.35))


@still_life('cairn-terracotta-vase', '#b9c0b4', 'walnut')
def cairn_vase():
    stand('cairn-terracotta-vase', (.05, .82, .74))
    furniture.books((-.20, .84, .74), ((.24, .17, .03, '#d8cdbb'), (.2, .15, .02, '#39465a')), 4)
    leaf_print((.2, WALL, 1.3))


@still_life('loch-bottle-vase', '#e3d4bf', 'oak')
def loch_vase():
    stand('loch-bottle-vase', (-.04, .82, .74))
    stand('orchard-walnut-tray', (.20, .74, .74))
    round_print((-.24, WALL, 1.32))


@still_life('ripple-glass-vase', '#c9b3a0', 'oak')
def ripple_vase():
    stand('ripple-glass-vase', (0, .82, .74))
    furniture.books((.24, .86, .74), ((.22, .16, .026, '#8f5b44'), (.19, .14, .02, '#efe7d8')), 6)


@still_life('ember-candle-holders', '#4f5a55', 'walnut', evening, .62, .98, .20)
def ember_holders():
    stand('ember-candle-holders', (0, .78, .74))
    stand('moon-stoneware-vase+small', (-.24, .92, .74))
    furniture.books((.22, .88, .74), ((.22, .16, .026, '#d8cdbb'),), 6)


@still_life('heath-stoneware-bowl', '#a8b3b0', 'oak', width=.70, height=1.16)
def heath_bowl():
    stand('heath-stoneware-bowl', (.02, .74, .74))
    stand('heath-stoneware-bowl+small', (-.24, .90, .74))
    stand('cairn-terracotta-vase', (.26, 1.0, .74))


@still_life('orchard-walnut-tray', '#d9cbb8', 'oak', width=.78, height=1.2)
def orchard_tray():
    stand('orchard-walnut-tray', (0, .76, .74))
    stand('ember-candle-holders', (-.06, .78, .752))
    stand('heath-stoneware-bowl+small', (.10, .74, .752))
    stand('moon-stoneware-vase', (.30, 1.02, .74))


@still_life('siena-travertine-tray', '#8f9a8c', 'walnut', overcast, height=1.16)
def siena_tray():
    stand('siena-travertine-tray', (0, .76, .74), 8)
    shapes.place(lambda: furniture.candle_holder('ball', .11, materials.metal('brass'), candle_h=.13), (-.10, .78, .762))
    stand('heath-stoneware-bowl+small', (.08, .75, .762))
    stand('ripple-glass-vase', (.28, 1.0, .74))
