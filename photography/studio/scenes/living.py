"""Living rooms."""
import furniture
import materials
import shapes
from scenes.architecture import (BACK, WALL, WINDOW, curtain, daylight, evening, eye, overcast, shell, wainscot,
    wood_panels)
from scenes.dressing import (branches, hills_print, leaf_print, pebbles_print, rug, shelf, stand, still_life,
    sunrise_print)


def curtains():
    curtain(WINDOW, -2.3, -1.55, folds=8, seed=2)
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)


def wide():
    """The whole room, in a picture of 3:2."""
    eye((.12, -4.3, 1.18), turn=-1.5, shift=(0, -.045))


def morning():
    """A pale sofa on a wool rug, a leather chair, a walnut table with a still life, lamps, prints, and the sun."""
    shell('#e3dbcf')
    daylight()
    rug(3.2, 2.1, (0, -.28))
    stand('haven-boucle-sofa', (-.15, 1.12, 0))
    for x, size, colour, turn, seed in ((-.93, .48, '#8a5f49', 10, 3), (-.57, .42, '#efe7d8', -6, 5)):
        shapes.pillow(size, size, materials.fabric(colour, 'linen'), (x, .92, .42 + size * .47), (-.38, .03, turn / 57), seed=seed)
    stand('elgin-leather-armchair', (1.50, .02, .022), -52)
    stand('pebble-coffee-table', (-.05, -.42, .022))
    still_life((-.05, -.42, .382))
    stand('fable-brass-floor-lamp', (-1.78, 1.25, 0))
    stand('aldous-fluted-sideboard', (2.30, 1.50, 0))
    stand('halo-mushroom-lamp', (1.80, 1.46, .68))
    stand('loch-bottle-vase', (2.20, 1.48, .68))
    pebbles_print((-.55, WALL, 1.60))
    sunrise_print((.20, WALL, 1.60))
    curtains()


def morning_wide():
    morning()
    wide()


def garden_room():
    """A green velvet sofa before a panelled sage wall, soft light, a floor lamp that is lit."""
    shell('#d5d6c6')
    wainscot('#a9ad97')
    overcast()
    rug(2.9, 1.9, (0, -.15), '#e2dac9')
    stand('wren-velvet-sofa', (.10, 1.05, 0))
    shapes.pillow(.46, .46, materials.fabric('#c9a873', 'linen'), (-.46, .84, .645), (-.40, .02, .16), seed=3)
    shapes.place(lambda: furniture.floor_lamp(h=1.58, power=1.6), (1.32, 1.22, 0))
    stand('siena-side-table', (-1.18, .95, .0))
    stand('moon-stoneware-vase', (-1.18, .97, .52))
    stand('orla-round-coffee-table', (.12, -.25, .022))
    furniture.books((-.02, -.30, .422), ((.24, .17, .028, '#cfc4b2'), (.20, .15, .02, '#8f5b44')), 5)
    stand('heath-stoneware-bowl', (.30, -.16, .422))
    hills_print((.10, WALL - .02, 1.72))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((.08, -4.3, 1.12), sensor=24., shift=(0, -.06))


def panelled_evening():
    """Walnut boards, a leather sofa under an arc lamp, candles, dusk in the window."""
    shell('#cfc4b4', 'smoked')
    wood_panels('walnut')
    evening()
    rug(3.2, 2.1, (0, -.25), '#b9a98f')
    stand('carrick-leather-sofa', (-.05, 1.02, 0))
    shapes.pillow(.46, .46, materials.fabric('#d9cdb8', 'linen'), (.62, .83, .645), (-.40, .02, -.2), seed=8)
    shapes.place(lambda: furniture.arc_lamp(power=5.), (-1.52, 1.28, 0), -16)
    stand('orla-round-coffee-table', (-.05, -.35, .022))
    stand('ember-candle-holders', (.10, -.38, .422))
    stand('orchard-walnut-tray', (-.20, -.28, .422))
    stand('elgin-leather-armchair', (1.62, -.05, .022), -55)
    shapes.place(lambda: furniture.cabinet(1.35, .42, .68, columns=((('fluted', 1.),),) * 3, wood='oak', leg='metal',
        leg_h=.14, handle='none'), (2.28, 1.48, 0))
    shapes.place(lambda: furniture.table_lamp('sphere', r=.12, base_h=.24, base_mat=materials.ceramic('#a8603f', 'raw'),
        shade_r=(.14, .18), shade_h=.20, power=5.), (1.98, 1.46, .68))
    furniture.books((2.40, 1.45, .68), ((.23, .16, .03, '#d8cdbb'), (.20, .15, .022, '#596052')), 8)
    leaf_print((.35, WALL - .03, 1.72))
    leaf_print((-.35, WALL - .03, 1.72))
    wide()


def north_room():
    """White plaster and pale linen on a bright grey day; a tripod lamp, a bouclé chair and its footstool."""
    shell('#ece7de', 'ash')
    overcast()
    rug(3.2, 2.1, (0, -.25), '#cfc9bb')
    stand('skye-linen-sofa', (-.30, 1.08, 0))
    shapes.pillow(.46, .46, materials.fabric('#8d9480', 'linen'), (-1.02, .88, .665), (-.40, .02, .18), seed=3)
    stand('elgin-boucle-armchair', (1.45, .15, .022), -48)
    stand('dune-velvet-footstool', (.95, -.75, .022))
    stand('heron-tripod-lamp', (1.55, 1.28, 0))
    stand('siena-side-table', (-1.85, .85, 0))
    stand('ripple-glass-vase', (-1.85, .85, .52))
    stand('pebble-coffee-table', (-.35, -.35, .022))
    stand('siena-travertine-tray', (-.30, -.35, .382))
    shelf(1.5, (-.25, BACK - .12, 1.62), 'ash', 4)
    curtains()
    wide()


def family_room():
    """The oatmeal sofa in the sun with a long bench behind the table, cane and oak."""
    shell('#dfd8c8')
    daylight(5.)
    rug(3.4, 2.2, (0, -.25), '#c9bda6')
    stand('oslo-three-seat-sofa', (-.20, 1.10, 0))
    stand('orla-round-coffee-table', (-.20, -.30, .022))
    stand('cairn-terracotta-vase', (-.38, -.24, .422))
    furniture.books((-.05, -.38, .422), ((.24, .17, .028, '#cfc4b2'), (.21, .15, .02, '#6d7566')), 3)
    stand('elgin-linen-armchair', (1.62, .10, .022), -50)
    stand('camber-cane-sideboard', (2.25, 1.50, 0))
    stand('callow-ceramic-lamp', (1.75, 1.46, .72))
    stand('heath-stoneware-bowl', (2.25, 1.46, .72))
    stand('heron-tripod-lamp', (-1.85, 1.28, 0))
    hills_print((-.20, WALL, 1.62))
    curtains()
    wide()


def clay_room():
    """A rust sofa against clay plaster at dusk, with the floor lamp and a glass lamp lit."""
    shell('#c9a98c', 'oak')
    evening()
    rug(3.0, 2.0, (0, -.25), '#d9c9ae')
    stand('rowan-wool-sofa', (-.10, 1.08, 0))
    shapes.pillow(.46, .46, materials.fabric('#e4dccd', 'linen'), (-.80, .90, .65), (-.40, .02, .18), seed=5)
    shapes.place(lambda: furniture.floor_lamp(h=1.58, power=5.), (-1.55, 1.25, 0))
    stand('siena-side-table', (1.40, .95, 0))
    shapes.place(lambda: furniture.mushroom_lamp(r=.15, h=.38, power=7.), (1.40, .95, .52))
    stand('pebble-coffee-table', (-.10, -.35, .022))
    still_life((-.10, -.35, .382))
    branches((2.15, 1.25, 0), seed=9)
    sunrise_print((-.10, WALL, 1.66))
    curtains()
    wide()
