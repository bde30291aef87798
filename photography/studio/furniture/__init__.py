"""Furniture families: each function builds one piece at the origin, standing on z=0 and facing -Y."""
from furniture.benches import cord_bench, padded_bench, slab_bench, slatted_bench, table
from furniture.cabinets import cabinet
from furniture.chairs import chair, stool
from furniture.decor import books, bowl, candle_holder, stems, tray, vase
from furniture.lamps import arc_lamp, floor_lamp, mushroom_lamp, table_lamp, tripod_lamp
from furniture.seating import armchair, ottoman, sofa

__all__ = [
    'arc_lamp', 'armchair', 'books', 'bowl', 'cabinet', 'candle_holder', 'chair', 'cord_bench', 'floor_lamp',
    'mushroom_lamp', 'ottoman', 'padded_bench', 'slab_bench', 'slatted_bench', 'sofa', 'stems', 'stool', 'table',
    'table_lamp', 'tray', 'tripod_lamp', 'vase'
]
