"""Procedural materials: each function returns a Blender material, made once for each set of arguments."""
from materials.mineral import backdrop, ceramic, emitter, glass, metal, opal, paint, plaster, stone, wax
from materials.textile import fabric, leather, rug, shade_cloth, sheer
from materials.wood import WOODS, cane, cord, leaf, planks, wood, woven

__all__ = [
    'WOODS', 'backdrop', 'cane', 'ceramic', 'cord', 'emitter', 'fabric', 'glass', 'leaf', 'leather', 'metal', 'opal',
    'paint', 'planks', 'plaster', 'rug', 'shade_cloth', 'sheer', 'stone', 'wax', 'wood', 'woven'
]
