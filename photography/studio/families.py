"""How each family of products is photographed."""

# light: scale of the lights, about the product's size in metres / 1.6
# hero, front: the camera (see stage.camera); `turn` turns the product instead, so that a chair shows its back
# detail: the sharp point, the size of what is shown round it in metres, the camera; a set has the details of its parts
FAMILIES = {
    'sofa': dict(
        light=1.35,
        hero=dict(az=34, el=13, fill=.92, dy=.03),
        front=dict(az=0, el=9, fill=.94, dy=.03),
        detail=((-.55, -.42, .5), .62, dict(az=38, el=16)),
    ),
    'armchair': dict(
        light=.8,
        hero=dict(az=32, el=12, fill=.74, vfill=.74),
        front=dict(az=0, el=8, fill=.74, vfill=.74),
        detail=((-.3, -.22, .5), .34, dict(az=40, el=20)),
    ),
    'chair': dict(
        light=.72,
        hero=dict(az=32, el=13, fill=.72, vfill=.76),
        front=dict(turn=152, az=0, el=10, fill=.72, vfill=.76),
        detail=((.1, -.08, .44), .34, dict(az=34, el=30)),
    ),
    'set': dict(
        light=.85,
        hero=dict(az=26, el=13, fill=.86),
        front=dict(az=0, el=9, fill=.88),
    ),
    'bench': dict(
        light=.95,
        hero=dict(az=34, el=18, fill=.92, dy=.02),
        front=dict(az=0, el=13, fill=.9, dy=.02),
        detail=((.48, -.08, .4), .34, dict(az=38, el=26)),
    ),
    'table': dict(
        light=.75,
        hero=dict(az=22, el=15, fill=.84),
        front=dict(az=0, el=8, fill=.84),
        detail=((.22, -.22, .34), .36, dict(az=30, el=24)),
    ),
    'cabinet': dict(
        light=1.15,
        hero=dict(az=30, el=12, fill=.93, vfill=.8, dy=.02),
        front=dict(az=0, el=8, fill=.9, vfill=.8, dy=.02),
        detail=((.2, -.25, .45), .42, dict(az=36, el=14)),
    ),
    'nightstand': dict(
        light=.6,
        hero=dict(az=28, el=15, fill=.72, vfill=.74),
        front=dict(az=0, el=10, fill=.7, vfill=.74),
        detail=((.08, -.18, .36), .3, dict(az=34, el=18)),
    ),
    'wardrobe': dict(
        light=1.5,
        hero=dict(az=24, el=6, fill=.8, vfill=.82),
        front=dict(az=0, el=5, fill=.78, vfill=.82),
        detail=((0, -.3, 1.05), .6, dict(az=34, el=8)),
    ),
    'lamp': dict(
        light=.5,
        dim=.2,
        hero=dict(az=20, el=8, fill=.7, vfill=.76),
        front=dict(az=0, el=5, fill=.7, vfill=.76),
        detail=((0, 0, .3), .26, dict(az=20, el=6)),
    ),
    'floorlamp': dict(
        light=1.15,
        dim=.2,
        hero=dict(az=20, el=5, fill=.62, vfill=.84),
        front=dict(az=0, el=4, fill=.62, vfill=.84),
        detail=((0, 0, 1.35), .5, dict(az=20, el=-4)),
    ),
    'decor': dict(
        light=.4,
        hero=dict(az=18, el=12, fill=.64, vfill=.72),
        front=dict(az=0, el=6, fill=.64, vfill=.72),
        detail=((0, -.02, .16), .14, dict(az=25, el=18)),
    ),
    'tray': dict(
        light=.42,
        hero=dict(az=18, el=24, fill=.8, level=False),
        front=dict(az=0, el=60, fill=.8, level=False),
        detail=((.08, -.06, .03), .16, dict(az=25, el=28)),
    ),
}
