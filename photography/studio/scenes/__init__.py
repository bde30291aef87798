"""Rooms dressed with the range."""
from collections import namedtuple

from scenes import corners, living, quiet

# aspect: width / height; mid: the level of light that half of the picture is below, lower in the evening
Room = namedtuple('Room', 'build aspect mid')
DAY, DUSK = .40, .17
SCENES = {
    'living-room': Room(living.morning_wide, 3 / 2, DAY),
    'sofa': Room(living.garden_room, 4 / 5, DAY),
    'wardrobe': Room(quiet.bedroom_wardrobe, 4 / 5, DAY),
    'living-panelled': Room(living.panelled_evening, 3 / 2, DUSK),
    'living-north': Room(living.north_room, 3 / 2, DAY),
    'living-family': Room(living.family_room, 3 / 2, DAY),
    'living-clay': Room(living.clay_room, 3 / 2, DUSK),
    'bedroom-oak': Room(quiet.bedroom_oak, 3 / 2, DAY),
    'bedroom-walnut': Room(quiet.bedroom_walnut, 3 / 2, DUSK),
    'dressing-room': Room(quiet.dressing_room, 4 / 5, DAY),
    'hallway': Room(quiet.hallway, 4 / 5, DAY),
    'dining-room': Room(quiet.dining_room, 3 / 2, DAY),
    'study': Room(quiet.study, 3 / 2, DUSK),
    **{f'{slug}-room': Room(build, 4 / 5, mid) for slug, (build, mid) in corners.CORNERS.items()},
}
