import type { Colour, Size } from '#contract/catalogue/catalogue.ts';
import { FIELD_COLUMNS, type ProductColumns } from '#contract/catalogue/product-fields.ts';
import { ATTRIBUTES_VERSION, attributesOf } from '#server/catalogue/attributes/attributes.ts';
import type { CopyValue } from '#server/platform/database/copy.ts';
import { inSnakeCase } from '#server/platform/database/rows-of.ts';
import { Random } from './random.ts';
import { CHARACTERS, COLOURS, FAMILIES, type Family, PLACES, SENTENCES, TRADES } from './vocabulary.ts';

/** Creation time of the newest product; each older one is a minute earlier. */
export const NEWEST = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** A generated product, with prices in pence. */
export interface GeneratedProduct extends ProductColumns {
  id: string;
  images: string[];
  shown: Shown;
  sizes: Size[];
  colors: Colour[];
  rating: number;
  createdAt: string;
}

/** What each picture shows, by URL, as in `products.shown`. */
type Shown = Record<string, { kind?: string; size?: string; color?: string }>;

/** An existing product's pictures, what they show, and its colours. */
export interface Pictured {
  images: string[];
  colors: Colour[];
  shown: Shown;
}

/** Keeps only the pictures and the colour of the first picture's variant. Drops their sizes: generated products have their own. */
export function inOneLook({ images, colors, shown }: Pictured): Pictured {
  const first = shown[images[0] ?? ''] ?? {};
  const isAlike = (image: string) => {
    const { size = first.size, color = first.color } = shown[image] ?? {};
    return size === first.size && color === first.color;
  };
  const alike = images.filter(isAlike);
  const looks = alike.flatMap((image) => (shown[image] ? [[image, { ...shown[image], size: undefined }] as const] : []));
  const colour = colors.find(({ hexCode }) => hexCode === first.color) ?? colors[0];
  return { images: alike, colors: colour ? [colour] : [], shown: Object.fromEntries(looks) };
}

/** Reusable pictures by category, and by category and subcategory (`poolKey`). */
export type PicturePool = ReadonlyMap<string, Pictured[]>;

export const poolKey = (category: string, subCategory: string): string => `${category}/${subCategory}`;

/** Pictures of the same subcategory, else of the category. Independent of the number of products. */
function picturesOf(pool: PicturePool, seed: number, index: number, category: string, subCategory: string): Pictured | undefined {
  const alike = pool.get(poolKey(category, subCategory)) ?? pool.get(category);
  return alike && new Random(seed, 'pictures', index).pick(alike);
}

const placeOf = (random: Random) => random.pick(PLACES.heads) + random.pick(PLACES.tails);

function descriptionOf(random: Random, material: string, { name, fit }: Family['kinds'][number]): string {
  const [first, ...others] = SENTENCES;
  const start = random.between(0, others.length - 1);
  const chosen = [first, ...[0, 3, 7].slice(0, random.between(2, 3)).map((step) => others[(start + step) % others.length] ?? '')];
  return chosen
    .join(' ')
    .replaceAll('{material}', material.toLowerCase())
    .replaceAll('{kind}', name.toLowerCase())
    .replaceAll('{room}', fit.toLowerCase())
    .replaceAll('{place}', placeOf(random));
}

function sizesOf(random: Random, { sizes, width }: Family, price: number): Size[] {
  const isSoldOut = random.chance(0.08);
  return sizes.slice(0, random.between(1, sizes.length)).map((size, position) => {
    const across = Math.round(width[0] + ((width[1] - width[0]) * (position + random.next())) / sizes.length);
    return {
      size,
      quantity: isSoldOut ? 0 : random.between(0, 25),
      // 0 stands for the product's price: only larger sizes cost more.
      price: position === 0 ? 0 : Math.round((price * (1 + 0.25 * position)) / 100) * 100,
      measurements: [
        { name: 'Width', value: String(across) },
        { name: 'Depth', value: String(Math.round(across * 0.45)) },
        { name: 'Height', value: String(Math.round(across * (0.4 + random.next() * 0.6))) },
      ],
    };
  });
}

/** Product `index` of a seed, independent of the number of products. */
export function productAt(seed: number, index: number, pictures: PicturePool = new Map()): GeneratedProduct {
  const random = new Random(seed, 'product', index);
  const at = NEWEST - index * MINUTE;
  const family = random.pick(FAMILIES);
  const kind = random.pick(family.kinds);
  const material = random.pick(family.materials);
  const [low, high] = family.price;
  // Squaring makes cheap products more common.
  const price = Math.round(low + (high - low) * random.next() ** 2) * 100 - random.pick([0, 0, 1, 5]);
  const character = random.chance(0.4) ? `${random.pick(CHARACTERS)} ` : '';
  const sizes = sizesOf(random, family, price);
  const pictured = picturesOf(pictures, seed, index, family.category, kind.subCategory);
  return {
    id: random.uuid(at),
    name: `${placeOf(random)} ${character}${material} ${kind.name}`,
    description: descriptionOf(random, material, kind),
    fit: kind.fit,
    category: family.category,
    subCategory: kind.subCategory,
    brand: brandOf(random),
    price,
    countInStock: sizes.reduce((sum, { quantity }) => sum + quantity, 0),
    images: pictured?.images ?? [],
    shown: pictured?.shown ?? {},
    sizes,
    colors: coloursOf(random, pictured),
    rating: random.chance(0.15) ? 0 : Math.round((2.5 + 2.5 * Math.sqrt(random.next())) * 10) / 10,
    isNewArrival: random.chance(0.02),
    isRecommend: random.chance(0.04),
    lowStock: index % 10 === 0 ? 3 : null,
    vatClass: 'standard' as const,
    deliveryClass: 'by size' as const,
    setParts: '',
    goesWith: index % 50 === 1 ? productAt(seed, index - 1).id : '',
    leadWeeks: index % 15 === 0 ? 6 : null,
    readyFrom: index % 40 === 7 ? '2026-03-01T09:00:00.000Z' : null,
    sku: `P${index}`,
    barcode: '4006381333931',
    supplier: family.category,
    supplierReference: `${index}`,
    costPrice: Math.round(price / 2),
    weight: 12_500,
    boxes: '120 x 60 x 20',
    assemblyMinutes: 20,
    careText: 'Dust with a soft dry cloth.',
    seoTitle: kind.name,
    seoDescription: kind.name,
    state: 'live' as const,
    liveFrom: random.chance(0.01) ? new Date(at).toISOString() : null,
    guarantee: '5 years',
    createdAt: new Date(at).toISOString(),
  };
}

/** Only the pictures' colours, if it has pictures. The draw is made all the same, so that pictures change no other value. */
function coloursOf(random: Random, pictured: Pictured | undefined): Colour[] {
  const made = random.chance(0.5) ? [] : [random.pick(COLOURS)].map((value) => ({ colorName: value, hexCode: value }));
  return pictured ? pictured.colors : made;
}

/** One of about 300 brands. */
function brandOf(random: Random): string {
  const trade = random.between(0, TRADES.length - 1);
  return `${random.pick(PLACES.heads)}${PLACES.tails[trade * 2]} ${TRADES[trade]}`;
}

const DERIVED = [
  'materials',
  'colourFamilies',
  'seats',
  'fitKey',
  'labelWords',
  'leastWidth',
  'mostWidth',
  'leastHeight',
  'mostHeight',
] as const;
export const PRODUCT_COLUMNS = [
  ...FIELD_COLUMNS.map(inSnakeCase),
  ...['id', 'images', 'colors', 'shown', 'rating', 'created_at', 'updated_at'],
  ...DERIVED.map(inSnakeCase),
  'attributes_version',
];

/** Rows of products, oldest first. */
export function* productRows(seed: number, count: number, pictures: PicturePool): Generator<CopyValue[]> {
  for (let index = count - 1; index >= 0; index -= 1) {
    const p = productAt(seed, index, pictures);
    const attributes = attributesOf({ ...p, measurements: [] });
    yield [
      ...FIELD_COLUMNS.map((column) => p[column]),
      ...[p.id, p.images, JSON.stringify(p.colors), JSON.stringify(p.shown), p.rating, p.createdAt, p.createdAt],
      ...DERIVED.map((name) => attributes[name]),
      ATTRIBUTES_VERSION,
    ];
  }
}

export const SIZE_COLUMNS = ['product_id', 'position', 'size', 'quantity', 'price', 'measurements'];

export function* sizeRows(seed: number, count: number): Generator<CopyValue[]> {
  for (let index = count - 1; index >= 0; index -= 1) {
    const { id, sizes } = productAt(seed, index);
    for (const [position, { size, quantity, price, measurements }] of sizes.entries())
      yield [id, position, size, quantity, price, JSON.stringify(measurements)];
  }
}

export const DIMENSION_COLUMNS = ['product_id', 'position', 'width', 'depth', 'height', 'door', 'seat_height', 'seats'];

/** Rows derived from their dimensions. */
export function* dimensionRows(seed: number, count: number): Generator<CopyValue[]> {
  for (let index = count - 1; index >= 0; index -= 1) {
    const product = productAt(seed, index);
    for (const { position, width, depth, height, door, seatHeight, seats } of attributesOf({ ...product, measurements: [] }).dimensions)
      yield [product.id, position, width, depth, height, door, seatHeight, seats];
  }
}
