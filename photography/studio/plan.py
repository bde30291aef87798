"""The catalogue's pictures in the order in which they are rendered: what a shopper sees most comes first."""
import catalogue
import samples
import scenes

FIRST = ('sofa', 'wardrobe', 'armchair', 'chair')  # families in the order of their worth
REST = ('bench', 'table', 'cabinet', 'nightstand', 'floorlamp', 'lamp', 'decor', 'tray')

HOME = ('sofa', 'wardrobe', 'living-room')  # the rooms of the home page


def of(*families):
    return [slug for family in families for slug, product in catalogue.PRODUCTS.items() if product.family == family]


def is_sofa(name):
    return catalogue.shot(name).family == 'sofa'


def order():
    """(name, view) of every picture; a room's view is 'room', a material's 'material'."""
    heroes, others = of(*FIRST), of(*REST)
    return [
        *((name, 'room') for name in HOME),
        *((name, 'hero') for name in of('sofa')),
        *((name, 'hero') for name in catalogue.sizes() if is_sofa(name)),
        *((name, 'hero') for name in of('wardrobe', 'armchair', 'chair')),
        *((name, 'hero') for name in catalogue.sizes() if not is_sofa(name)),
        *((name, 'hero') for name in catalogue.colours()),
        *((name, 'hero') for name in [*others, *of('set')]),
        *((name, 'room') for name in scenes.SCENES if name not in HOME),
        *((name, 'material') for name in samples.SAMPLES),
        *((name, view) for view in ('front', 'detail') for name in heroes + others),
        *((name, 'front') for name in of('set')),
    ]


SHOTS = order()
