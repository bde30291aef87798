"""Modelling: every shape lands in the product's collection, with UVs in metres."""
from shapes.curves import around, catmull, oval, tube, tubes
from shapes.mesh import PRODUCT, collection, obj_from, place
from shapes.solids import lathe, leg, loft, rbox, rrect, surface, sweep
from shapes.upholstery import box_cushion, pillow, uphol

__all__ = [
    'PRODUCT', 'around', 'box_cushion', 'catmull', 'collection', 'lathe', 'leg', 'loft', 'obj_from', 'oval', 'pillow',
    'place', 'rbox', 'rrect', 'surface', 'sweep', 'tube', 'tubes', 'uphol'
]
