import bench640a from './pictures/bench-640.avif';
import bench640w from './pictures/bench-640.webp';
import chair640a from './pictures/chair-640.avif';
import chair640w from './pictures/chair-640.webp';
import lamp640a from './pictures/lamp-640.avif';
import lamp640w from './pictures/lamp-640.webp';
import tall480a from './pictures/living-room-tall-480.avif';
import tall800a from './pictures/living-room-tall-800.avif';
import tall800w from './pictures/living-room-tall-800.webp';
import wide768a from './pictures/living-room-wide-768.avif';
import wide1024a from './pictures/living-room-wide-1024.avif';
import wide1440a from './pictures/living-room-wide-1440.avif';
import wide1440w from './pictures/living-room-wide-1440.webp';
import sofa480a from './pictures/sofa-480.avif';
import sofa960a from './pictures/sofa-960.avif';
import sofa960w from './pictures/sofa-960.webp';
import table640a from './pictures/table-640.avif';
import table640w from './pictures/table-640.webp';
import wardrobe480a from './pictures/wardrobe-480.avif';
import wardrobe960a from './pictures/wardrobe-960.avif';
import wardrobe960w from './pictures/wardrobe-960.webp';

type Entries = [string, number][];
const source = (avif: Entries, webp: string) => ({ avif, webp });

export const LIVING_ROOM = source(
  [
    [wide768a, 768],
    [wide1024a, 1024],
    [wide1440a, 1440],
  ],
  wide1440w,
);
export const LIVING_ROOM_TALL = source(
  [
    [tall480a, 480],
    [tall800a, 800],
  ],
  tall800w,
);
export const SOFA = source(
  [
    [sofa480a, 480],
    [sofa960a, 960],
  ],
  sofa960w,
);
export const WARDROBE = source(
  [
    [wardrobe480a, 480],
    [wardrobe960a, 960],
  ],
  wardrobe960w,
);
export const CHAIR = source([[chair640a, 640]], chair640w);
export const LAMP = source([[lamp640a, 640]], lamp640w);
export const BENCH = source([[bench640a, 640]], bench640w);
export const TABLE = source([[table640a, 640]], table640w);
/** For social cards, which need a single URL. */
export const SOCIAL_CARD = wide1440w;
