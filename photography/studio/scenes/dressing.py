"""What dresses a room: prints, still lifes, a bed, shelves, and the range itself."""
import math
import random

import numpy as np

import catalogue
import furniture
import materials
import shapes


def stand(name, loc=(0, 0, 0), turn=0.):
    """A piece of the range, as `slug` or `slug+variant`."""
    shapes.place(catalogue.shot(name).build, loc, turn)


def rug(width, depth, loc, colour='#d9cfbf'):
    shapes.uphol((width, depth, .022), .008, .0, (*loc, .011), mat=materials.rug(colour), lump=.0012, cell=.05)


def framed_print(width, height, loc, cutouts):
    """An oak frame round paper cut-outs: [(colour, outline in -1..1), ...] from back to front."""
    x, y, z = loc
    bar, depth = .016, .026
    for side in (-1, 1):
        shapes.rbox((bar, depth, height), .001, (x + side * (width - bar) / 2, y, z), mat=materials.wood('oak', 'Z'))
        shapes.rbox((width - 2 * bar, depth, bar), .001, (x, y, z + side * (height - bar) / 2),
            mat=materials.wood('oak', 'X'))
    shapes.rbox((width - bar, .004, height - bar), 0, (x, y + .006, z), mat=materials.plaster('#f1ece2', .25))
    for i, (colour, outline) in enumerate(cutouts):
        ring = shapes.catmull(outline, 10, cyclic=True)
        near = y + .0035 - .0004 * (i + 1)
        verts = [(x + p[0] * (width / 2 - .05), near, z + p[1] * (height / 2 - .05)) for p in ring]
        shapes.obj_from('paper', verts, [tuple(range(len(verts)))], materials.plaster(colour, .15), smooth=False)


def pebbles_print(loc):
    """Stones on sand."""
    framed_print(.62, .82, loc, [
        ('#a8674a', [(-.55, -.62), (.05, -.72), (.5, -.5), (.55, -.05), (.1, .12), (-.5, -.05), (-.7, -.35)]),
        ('#26302c', [(-.25, .05), (.2, .0), (.5, .3), (.35, .66), (-.1, .7), (-.42, .42)]),
        ('#d9b98a', [(-.62, -.2), (-.35, -.12), (-.3, .2), (-.5, .5), (-.72, .3)]),
    ])


def sunrise_print(loc):
    """A disc over hills."""
    disc = [(math.cos(a) * .62, .28 + math.sin(a) * .4453) for a in np.linspace(0, 2 * math.pi, 14, endpoint=False)]
    framed_print(.62, .82, loc, [
        ('#c9a27a', disc),
        ('#6c7560', [(-.72, -.75), (.72, -.75), (.74, -.35), (.3, -.16), (-.2, -.38), (-.6, -.2), (-.76, -.42)]),
    ])


def hills_print(loc):
    """Three ridges under a pale sky."""
    framed_print(.92, .68, loc, [
        ('#c9c2ae', [(-.8, -.1), (-.3, .28), (.2, .02), (.8, .34), (.85, -.8), (-.85, -.8)]),
        ('#8d917c', [(-.85, -.35), (-.4, .02), (.1, -.3), (.6, -.02), (.86, -.2), (.86, -.82), (-.86, -.82)]),
        ('#4c5547', [(-.86, -.62), (-.2, -.36), (.4, -.6), (.86, -.42), (.87, -.84), (-.87, -.84)]),
    ])


def leaf_print(loc):
    """One large leaf."""
    framed_print(.50, .70, loc, [
        ('#66735c', [(.0, -.78), (.42, -.3), (.5, .2), (.12, .74), (-.34, .3), (-.44, -.2)]),
        ('#d9c9a8', [(-.02, -.86), (.02, -.86), (.1, .1), (.12, .66), (.07, .66), (.03, .1)]),
    ])


def still_life(loc):
    """Branches, a tray with a candle and a bowl, and books; loc is the middle of a table's top."""
    def build():
        shapes.place(lambda: (furniture.vase('moon', .19, .22, materials.ceramic('#d9cfbf', 'raw', .4)),
            furniture.stems((0, 0, .15), 4, .46, .2, 'olive', 9)), (-.23, .08, 0))
        shapes.place(lambda: furniture.tray(.34, rim=.02, mat=materials.stone('travertine')), (.25, -.08, 0))
        shapes.place(lambda: furniture.candle_holder('ball', .11, materials.metal('brass'), candle_h=.13), (.19, -.04, .008))
        shapes.place(lambda: furniture.bowl(.13, .055, materials.ceramic('#3f4a44', 'satin')), (.31, -.13, .008))
        furniture.books((.07, -.24, 0), ((.23, .16, .026, '#cfc4b2'), (.20, .15, .02, '#8f5b44')), 3)
    shapes.place(build, loc)


def branches(loc, height=.44, width=.26, colour='#b9a58c', kind='olive', seed=6):
    """A tall floor vase with branches."""
    def build():
        furniture.vase('amphora', width, height, materials.ceramic(colour, 'raw', .3))
        furniture.stems((0, 0, height * .82), 6, height * 1.75, .32, kind, seed)
    shapes.place(build, loc)


def cover(width, depth, height, cloth, loc, lump=.014, seed=3.):
    """A duvet or throw: a soft slab that falls over the edges of what it lies on."""
    shapes.uphol((width, depth, height), min(.07, height * .45), .012, loc, mat=cloth, lump=lump, cell=.035, seed=seed)


def bed(width=1.6, wood='oak', linen='#ece5d8', throw='#8d8a72', head='#b9b2a6'):
    """A bed on a low wooden frame with an upholstered headboard, made up; the head is at +Y."""
    X, Y = materials.wood(wood, 'X'), materials.wood(wood, 'Y')
    length, sheet = 2.05, materials.fabric(linen, 'linen')
    for s in (-1, 1):
        shapes.rbox((.04, length, .16), .006, (s * (width / 2 + .02), 0, .24), mat=Y)
        for y in (-length / 2 + .12, length / 2 - .12):
            shapes.leg((s * (width / 2 - .06), y, .18), (s * (width / 2 - .04), y, 0), .026, .018, materials.wood(wood, 'Z'))
    shapes.rbox((width + .08, .04, .16), .006, (0, -length / 2, .24), mat=X)
    shapes.rbox((width, length - .05, .03), .002, (0, 0, .20), mat=X)
    shapes.uphol((width + .10, .10, .78), .045, .010, (0, length / 2 + .06, .66), mat=materials.fabric(head, 'wool'), lump=.003)
    shapes.uphol((width, length - .03, .24), .06, .006, (0, 0, .36), mat=sheet, lump=.002)
    cover(width + .10, 1.42, .22, sheet, (0, -.30, .42))
    cover(width + .13, .46, .21, materials.fabric(throw, 'wool'), (0, -.66, .437), lump=.010, seed=7.)
    for side in (-1, 1):
        for back, size, tilt in ((.0, .66, -52), (.17, .52, -60)):
            cloth = sheet if back == 0 else materials.fabric(head, 'linen')
            shapes.pillow(size, .44, cloth, (side * width * .24, length / 2 - .16 - back, .64 - back * .12),
                (math.radians(tilt + 30), 0, math.radians(side * 3)), seed=5 + side, plump=.9)


def upright_books(width, loc, seed=1, colours=('#d8cdbb', '#8f5b44', '#596052', '#3f4a45', '#cfc4b2', '#a98f63')):
    """A row of standing books, their spines towards -Y."""
    rng = random.Random(seed)
    x = 0.
    while x < width - .02:
        thick, tall, deep = rng.uniform(.014, .04), rng.uniform(.17, .26), rng.uniform(.13, .18)
        cloth = materials.fabric(rng.choice(colours), 'canvas')
        shapes.rbox((thick - .001, deep, tall), .0015, (loc[0] + x + thick / 2, loc[1] - deep / 2 + .09, loc[2] + tall / 2), mat=cloth)
        x += thick


def shelf(width, loc, wood='oak', seed=1, filled=.55):
    """A wall shelf with a row of books and a vase."""
    x, y, z = loc
    shapes.rbox((width, .22, .03), .003, (x, y, z), mat=materials.wood(wood, 'X'))
    upright_books(width * filled, (x - width / 2 + .06, y, z + .015), seed)
    shapes.place(lambda: furniture.vase('moon', .13, .15, materials.ceramic('#d9cfbf', 'raw', .4)), (x + width * .34, y, z + .015))


def pegs(width, loc, wood='oak', count=6):
    """A rail with pegs, on the wall."""
    x, y, z = loc
    shapes.rbox((width, .022, .09), .004, (x, y, z), mat=materials.wood(wood, 'X'))
    for i in range(count):
        at = x - width / 2 + width * (i + .5) / count
        shapes.leg((at, y - .085, z + .02), (at, y - .01, z), .011, .008, materials.wood(wood, 'Z'), seg=24)


def pendant(loc, drop, colour='#2b2a28', power=1.):
    """A spun dome on a cord from the ceiling, lit; loc is the middle of its rim."""
    x, y, z = loc
    outside = [(.21, 0), (.205, .05), (.16, .13), (.07, .18), (.03, .20), (0, .205)]
    inside = [(r * .98, h - .003) for r, h in reversed(outside)]
    shapes.lathe(outside + [outside[-1]] + inside, materials.metal(colour), loc, n=8, seg=96)
    shapes.lathe([(0, .05), (.03, .07), (.04, .10), (.02, .14), (0, .15)], materials.emitter('#ffd29a', 30. * power), loc, n=6, seg=32)
    shapes.tube([(x, y, z + .20), (x, y, z + drop)], .003, materials.paint('#1d1c1b', .6))
