"""Bedrooms, a hall, a dining room and a study."""
import furniture
import materials
import shapes
from scenes.architecture import (BACK, WALL, WINDOW, curtain, daylight, evening, eye, overcast, shell, wainscot,
    wood_panels)
from scenes.dressing import (bed, branches, hills_print, leaf_print, pebbles_print, pegs, pendant, rug, shelf, stand,
    sunrise_print)


def bedroom_wardrobe():
    """The fluted oak wardrobe with a cord bench, a tall vase and a print."""
    shell('#ddd3c5')
    daylight(sunshine=4.)
    rug(2.2, 1.5, (-.35, -.25))
    stand('aldous-fluted-wardrobe', (.42, 1.44, 0))
    shapes.place(lambda: furniture.cord_bench(1.05), (-.30, .12, .020), 9)
    furniture.books((-.42, .10, .474), ((.24, .17, .028, '#cfc4b2'), (.21, .15, .02, '#6d7566')), 3)
    branches((-.86, 1.34, 0))
    sunrise_print((-.80, WALL, 1.62))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((.14, -4.1, 1.15), sensor=19.2, shift=(0, -.03))


def bedroom_oak():
    """A made bed with a bedside table and lamp, the oak wardrobe, a cord bench at the bed's foot."""
    shell('#e2dccf')
    daylight(sunshine=3.5)
    rug(3.0, 2.0, (-.55, -.45), '#d6ccba')
    shapes.place(bed, (-.55, .62, .0))
    stand('tarn-bedside-table', (-1.75, 1.45, 0))
    stand('callow-ceramic-lamp', (-1.75, 1.45, .52))
    stand('tarn-bedside-table', (.65, 1.45, 0))
    furniture.books((.62, 1.42, .52), ((.22, .16, .03, '#d8cdbb'), (.20, .15, .022, '#596052')), 8)
    stand('aldous-fluted-wardrobe', (2.05, 1.44, 0))
    stand('hythe-cord-bench', (-.55, -.72, .022))
    hills_print((-.55, WALL, 1.60))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((.12, -4.3, 1.25), turn=-1.5, shift=(0, -.05))


def bedroom_walnut():
    """The walnut wardrobe beside a bed in dark linen at dusk, with the bedside lamp lit."""
    shell('#8f8b7c', 'smoked')
    evening()
    rug(3.0, 2.0, (-.55, -.45), '#a5997f')
    shapes.place(lambda: bed(wood='walnut', linen='#d9d0c0', throw='#7a4a35', head='#6f7159'), (-.55, .62, 0))
    stand('tarn-bedside-table', (.68, 1.45, 0))
    shapes.place(lambda: furniture.table_lamp(power=5.), (.68, 1.45, .52))
    stand('tarn-bedside-table', (-1.78, 1.45, 0))
    shapes.place(lambda: furniture.mushroom_lamp(r=.15, h=.38, power=6.), (-1.78, 1.45, .52))
    stand('kestrel-walnut-wardrobe', (1.95, 1.44, 0))
    stand('mossley-upholstered-bench', (-.55, -.75, .022))
    pebbles_print((-.55, WALL, 1.66))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((.12, -4.3, 1.25), turn=-1.5, shift=(0, -.05))


def dressing_room():
    """The cane wardrobe and the painted one, a stool, a rail of pegs, soft light."""
    shell('#e4ded2')
    overcast()
    rug(1.8, 1.2, (.0, .25), '#cfc4ad')
    stand('camber-cane-wardrobe', (.62, 1.44, 0))
    stand('linton-painted-wardrobe', (-.80, 1.44, 0))
    stand('dune-velvet-footstool', (.15, .30, .022))
    branches((-1.86, 1.30, 0), seed=4)
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((-.16, -4.1, 1.15), sensor=24., shift=(0, -.03))


def hallway():
    """A slatted bench under a rail of pegs, a lamp on a side table, painted boards."""
    shell('#e6dfd0', 'smoked')
    wainscot('#7d8471', 1.30)
    overcast()
    rug(2.2, .9, (0, .55), '#b7a68a')
    stand('quay-slatted-bench', (.05, 1.40, 0))
    pegs(1.3, (.05, BACK - .03, 1.62))
    stand('siena-side-table', (-1.02, 1.38, 0))
    stand('terra-table-lamp', (-1.02, 1.38, .52))
    stand('tarn-oak-stool', (.96, 1.28, 0))
    stand('loch-bottle-vase', (.96, 1.28, .46))
    furniture.books((-.30, 1.40, .44), ((.24, .17, .028, '#cfc4b2'), (.21, .15, .02, '#6d7566')), 3)
    eye((.05, -3.9, 1.2), sensor=19.5, shift=(0, -.02))


def dining_room():
    """Four kinds of chair and a bench round an oak table, a pendant, and the sun."""
    shell('#e3dccb')
    daylight(5.)
    rug(3.3, 2.3, (0, .05), '#cdbf9f')
    shapes.place(lambda: furniture.slab_bench(2.0, .92, .74, 'oak'), (0, .10, .022))
    stand('hythe-cord-chair', (-.55, .72, .022))
    stand('fenn-ladder-back-chair', (.05, .74, .022), -4)
    stand('marsh-spindle-chair', (.62, .72, .022), 4)
    stand('alder-carver-chair', (1.42, .10, .022), -90)
    stand('brook-walnut-bench', (0, -.62, .022))
    pendant((0, .10, 1.55), 1.40)
    stand('heath-stoneware-bowl', (-.25, .12, .762))
    shapes.place(lambda: (furniture.vase('moon', .20, .25, materials.ceramic('#ddd3c2', 'matte', .8)),
        furniture.stems((0, 0, .2), 5, .5, .2, 'eucalyptus', 4)), (.35, .10, .762))
    stand('camber-cane-sideboard', (-1.9, 1.50, 0))
    hills_print((-.1, WALL, 1.62))
    curtain(WINDOW, .30, 1.25, folds=9, seed=4)
    eye((.12, -4.3, 1.32), turn=-1.5, shift=(0, -.06))


def study():
    """A walnut desk before oak boards in the evening: a carver chair, the glass lamp, shelves of books."""
    shell('#cfc4b4', 'oak')
    wood_panels('oak')
    evening()
    rug(2.8, 1.9, (-.1, -.1), '#8f8468')
    shapes.place(lambda: furniture.slab_bench(1.5, .68, .74, 'walnut'), (-.35, 1.30, 0))
    stand('alder-carver-chair', (-.30, .62, .022), 172)
    shapes.place(lambda: furniture.mushroom_lamp(r=.15, h=.38, power=7.), (-.88, 1.36, .74))
    furniture.books((-.05, 1.36, .74), ((.24, .17, .028, '#cfc4b2'), (.21, .15, .02, '#6d7566')), 3)
    for i, z in enumerate((1.45, 1.85)):
        shelf(1.6, (-.35, BACK - .15, z), 'walnut', 4 + i)
    stand('aldous-fluted-sideboard', (2.05, 1.48, 0))
    leaf_print((1.85, WALL - .03, 1.50))
    leaf_print((2.45, WALL - .03, 1.50))
    stand('elgin-linen-armchair', (1.35, .15, .022), -40)
    shapes.place(lambda: furniture.tripod_lamp(power=5.), (-1.75, 1.15, 0))
    eye((.12, -4.3, 1.22), turn=-1.5, shift=(0, -.05))
