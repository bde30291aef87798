"""Close-ups of the fabrics and woods: each on one standard form."""
from functools import partial

import materials
import shapes


def cushion(cloth):
    """The corner of a piped seat cushion, on another."""
    for i in range(2):
        shapes.box_cushion((.56, .56, .13), cloth(), (0, .02 * i, .07 + .155 * i), (0, 0, .02 - .03 * i), seed=3 + i, crown=.02,
            pressure=5., puff=.4, corner=.045, piping=.004)


def boards(species):
    """Three boards, the upper one across."""
    for i, x in enumerate((-.085, .085)):
        shapes.rbox((.165, .60, .024), .003, (x, .10, .012), (0, 0, .01 * (i - .5)), mat=materials.wood(species, 'Y'))
    shapes.rbox((.56, .15, .024), .003, (0, .08, .0365), (0, 0, .20), mat=materials.wood(species, 'X'))


def fabric(colour, kind):
    return partial(cushion, partial(materials.fabric, colour, kind))


def leather(colour):
    return partial(cushion, partial(materials.leather, colour))


SAMPLES = {
    'material-wool-oatmeal': fabric('#b9b2a6', 'wool'),
    'material-wool-rust': fabric('#9b5d42', 'wool'),
    'material-wool-sage': fabric('#8c8f7c', 'wool'),
    'material-boucle': fabric('#dcd4c6', 'boucle'),
    'material-wool-natural': fabric('#c4b69f', 'wool'),
    'material-velvet-moss': fabric('#5f6b52', 'velvet'),
    'material-velvet-dune': fabric('#7b8069', 'velvet'),
    'material-linen-natural': fabric('#e4dccd', 'linen'),
    'material-linen-stone': fabric('#a9a08f', 'linen'),
    'material-leather-cognac': leather('#8a5430'),
    'material-leather-espresso': leather('#3a2c24'),
    'material-oak': partial(boards, 'oak'),
    'material-walnut': partial(boards, 'walnut'),
    'material-ash': partial(boards, 'ash'),
    'material-black-ash': partial(boards, 'black'),
}
LIGHT = .5  # see families.py
CAMERA = dict(az=34, el=34)
POINT, SIZE = (-.10, -.16, .16), .26  # of a cushion; boards lie lower
BOARD_POINT, BOARD_SIZE = (-.02, -.06, .04), .26


def close_up(name):
    """The sharp point, the size of what is shown round it, the camera."""
    is_board = SAMPLES[name].func is boards
    return (BOARD_POINT, BOARD_SIZE, CAMERA) if is_board else (POINT, SIZE, CAMERA)
