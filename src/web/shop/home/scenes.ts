import bench640a from './pictures/bench-640.avif';
import bench640w from './pictures/bench-640.webp';
import chair640a from './pictures/chair-640.avif';
import chair640w from './pictures/chair-640.webp';
import lamp640a from './pictures/lamp-640.avif';
import lamp640w from './pictures/lamp-640.webp';
import tall480a from './pictures/living-room-tall-480.avif';
import tall480w from './pictures/living-room-tall-480.webp';
import tall800a from './pictures/living-room-tall-800.avif';
import tall800w from './pictures/living-room-tall-800.webp';
import wide768a from './pictures/living-room-wide-768.avif';
import wide768w from './pictures/living-room-wide-768.webp';
import wide1024a from './pictures/living-room-wide-1024.avif';
import wide1024w from './pictures/living-room-wide-1024.webp';
import wide1440a from './pictures/living-room-wide-1440.avif';
import wide1440w from './pictures/living-room-wide-1440.webp';
import sofa480a from './pictures/sofa-480.avif';
import sofa480w from './pictures/sofa-480.webp';
import sofa960a from './pictures/sofa-960.avif';
import sofa960w from './pictures/sofa-960.webp';
import table640a from './pictures/table-640.avif';
import table640w from './pictures/table-640.webp';
import wardrobe480a from './pictures/wardrobe-480.avif';
import wardrobe480w from './pictures/wardrobe-480.webp';
import wardrobe960a from './pictures/wardrobe-960.avif';
import wardrobe960w from './pictures/wardrobe-960.webp';

type Entries = [string, number][];
const source = (avif: Entries, webp: Entries) => ({ avif, webp });

export const LIVING_ROOM = source(
  [
    [wide768a, 768],
    [wide1024a, 1024],
    [wide1440a, 1440],
  ],
  [
    [wide768w, 768],
    [wide1024w, 1024],
    [wide1440w, 1440],
  ],
);
export const LIVING_ROOM_TALL = source(
  [
    [tall480a, 480],
    [tall800a, 800],
  ],
  [
    [tall480w, 480],
    [tall800w, 800],
  ],
);
export const SOFA = source(
  [
    [sofa480a, 480],
    [sofa960a, 960],
  ],
  [
    [sofa480w, 480],
    [sofa960w, 960],
  ],
);
export const WARDROBE = source(
  [
    [wardrobe480a, 480],
    [wardrobe960a, 960],
  ],
  [
    [wardrobe480w, 480],
    [wardrobe960w, 960],
  ],
);
export const CHAIR = source([[chair640a, 640]], [[chair640w, 640]]);
export const LAMP = source([[lamp640a, 640]], [[lamp640w, 640]]);
export const BENCH = source([[bench640a, 640]], [[bench640w, 640]]);
export const TABLE = source([[table640a, 640]], [[table640w, 640]]);
/** For social cards, which need a single URL. */
export const SOCIAL_CARD = wide1440w;
