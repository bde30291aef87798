/** Checks products.json against its rules and against the pictures that are there: `node demo/check.mjs`. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { differenceOf, meanColour } from './colour.mjs';
import { checkModel } from './models.mjs';

const CATEGORIES = ['Sofa', 'Wardrobe', 'Chair', 'Lamp', 'Bench', 'Table', 'Storage', 'Table Decor'];
const FIELDS =
  'slug name description fit category subCategory brand price countInStock deliveryClass guarantee isNewArrival isRecommend rating sizes colors images'.split(
    ' ',
  );
const KINDS = ['packshot', 'front', 'detail', 'room', 'material'];
const VIEWS = ['packshot', 'front', 'detail'];
const MASTER = '1600×2000';
const BEFORE = '960×1200';
/** Cut from a room by scripts/scenes.mjs. */
const ROOM = '1200×1500';
const LARGEST_PICTURE = 480 * 1024;
const LARGEST_FOLDER = 60 * 1024 * 1024;
/** In KB. */
const MEAN_MODEL = 400;
const MOST_PICTURES = 12;
const LARGEST_DIFFERENCE = 6;
/** Pieces that need no room of their own. */
const SMALL = ['Vases', 'Candle holders', 'Bowls and trays'];
/** What shows itself in a room: these categories and kinds. */
const FURNISHING = ['Sofa', 'Wardrobe', 'Table', 'Armchairs', 'Floor lamps'];
/** A part of a set, with its size and colour. */
const PART = /^([1-9]\d?) x ([a-z0-9-]+) \| ([^|]+) \| (#[0-9a-f]{6})$/;
/** One length, or the three of a box. */
const LENGTHS = /^\d+(\.\d+)?( x \d+ x \d+)?$/;
/** What looks much the same from every side. */
const WITHOUT_FRONT = ['Lamp', 'Table Decor'];
/** What is sat on has a fabric, leather or wood to be seen up close. */
const SAT_ON = ['Sofa', 'Chair', 'Bench'];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const faults = [];
const expect = (holds, what) => holds || faults.push(what);

const isText = (value) => typeof value === 'string' && value.trim() === value && value.length > 0;
const isWhole = (value) => Number.isInteger(value) && value >= 0;
const hasOnly = (object, names) => Object.keys(object).join() === names.join();

const products = JSON.parse(readFileSync(here('products.json'), 'utf8'));
/** Where each packshot shows its colour, in thousandths of its width and height: photography/accept.py writes it. */
const swatches = JSON.parse(readFileSync(here('swatches.json'), 'utf8'));
const rooms = JSON.parse(readFileSync(here('rooms.json'), 'utf8'));
const categories = JSON.parse(readFileSync(here('categories.json'), 'utf8'));
const home = JSON.parse(readFileSync(here('home.json'), 'utf8'));
const slugs = new Set(products.map((product) => product.slug));
const bySlug = new Map(products.map((product) => [product.slug, product]));
const unlisted = new Set(readdirSync(here('pictures')));
/** Close-ups of materials: several products may be of one. */
const listedMaterials = new Set();
const models = new Set(readdirSync(here('models')));
const modelBytes = [];
const small = [];
const unshown = [];
const pictureCount = unlisted.size;

function checkProduct(product, must) {
  const fields = product.setParts ? [...FIELDS, 'measurements', 'setParts'] : FIELDS;
  must(hasOnly(product, fields), `fields must be exactly ${fields.join(', ')}`);
  must(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(product.slug), 'slug must be lower-case words joined by hyphens');
  must(product.guarantee !== '' || product.category === 'Table Decor', 'guarantee must be a text');
  for (const field of ['name', 'description', 'fit', 'subCategory', 'brand']) must(isText(product[field]), `${field} must be a text`);
  must(CATEGORIES.includes(product.category), `unknown category ${product.category}`);
  must(isWhole(product.price) && product.price > 0, 'price must be whole pence');
  must(
    product.rating >= 0 && product.rating <= 5 && Number.isInteger(Math.round(product.rating * 1000) / 100),
    'rating must be 0 to 5 with one decimal',
  );
  must(typeof product.isNewArrival === 'boolean' && typeof product.isRecommend === 'boolean', 'flags must be true or false');
  for (const colour of product.colors)
    must(/^#[0-9a-f]{6}$/.test(colour.hexCode) && colour.colorName === colour.hexCode, 'a colour has the same hex value twice');
}

function checkMeasurements(of, measurements, must) {
  for (const { name, value } of measurements) must(isText(name) && LENGTHS.test(value), `measurement ${name} of ${of} must be centimetres`);
}

function checkSizes({ sizes, countInStock }, must) {
  for (const size of sizes) {
    const names = ['size', 'quantity', 'price', 'measurements', ...(size === sizes[0] ? [] : ['model'])];
    must(hasOnly(size, names), `a size has ${names.join(', ')}`);
    must(isText(size.size) && isWhole(size.quantity) && isWhole(size.price), `size ${size.size} is malformed`);
    checkMeasurements(size.size, size.measurements, must);
  }
  const total = sizes.reduce((sum, size) => sum + size.quantity, 0);
  must(isWhole(countInStock) && (sizes.length === 0 || total === countInStock), `${countInStock} in stock but ${total} in its sizes`);
  must(new Set(sizes.map((size) => size.size)).size === sizes.length, 'a size appears twice');
}

const partsOf = ({ setParts }) =>
  (setParts?.split('; ') ?? []).map((part) => {
    const [, qty, slug, size, colour] = PART.exec(part) ?? [];
    return { qty: Number(qty), slug, size, colour };
  });

/** A set has parts that are sold so, and costs less than they do. */
function checkSet(product, must) {
  const parts = partsOf(product);
  if (parts.length === 0) return;
  must(product.sizes.length + product.colors.length === 0, 'a set has no sizes and colours of its own');
  checkMeasurements('the set', product.measurements, must);
  let [sum, left] = [0, Number.POSITIVE_INFINITY];
  for (const { qty, slug, size, colour } of parts) {
    const part = bySlug.get(slug);
    const chosen = part?.sizes.find((one) => one.size === size);
    if (!chosen?.quantity || !part.colors.some(({ hexCode }) => hexCode === colour)) {
      must(false, `its part ${slug} is not sold in ${size}, ${colour}`);
      continue;
    }
    must(products.indexOf(part) < products.indexOf(product), `its part ${slug} must stand before it`);
    sum += qty * (chosen.price || part.price);
    left = Math.min(left, Math.floor(chosen.quantity / qty));
  }
  must(product.price < sum, `a set must cost less than its parts, ${sum}`);
  must(product.countInStock === left, `its parts make ${left}`);
}

/** What the pictures say they show, and that every view, size and colour that is offered is shown. */
function checkShown({ slug, category, images, sizes, colors, setParts }, must) {
  must(images[0]?.file === `${slug}.webp`, 'the first picture must be the whole product');
  must(images.length <= MOST_PICTURES, `more than ${MOST_PICTURES} pictures`);
  must(new Set(images.map((image) => image.file)).size === images.length, 'a picture appears twice');
  for (const { file, kind, size, color, ...more } of images) {
    const isOwn = file.startsWith(kind === 'material' ? 'material-' : slug);
    must(isOwn && KINDS.includes(kind) && Object.keys(more).length === 0, `${file} is malformed`);
    must(size === undefined || sizes.some((other) => other.size === size), `${file} shows a size that is not offered`);
    must(color === undefined || colors.some((other) => other.hexCode === color), `${file} shows a colour that is not offered`);
  }
  const shows = (what) => images.some((image) => Object.entries(what).every(([field, value]) => image[field] === value));
  const isRound = sizes[0]?.measurements.some((measure) => measure.name === 'Diameter');
  // The details of a set are those of its parts.
  const isLeftOut = { front: isRound || WITHOUT_FRONT.includes(category), detail: setParts };
  const views = VIEWS.filter((view) => !isLeftOut[view]);
  for (const kind of SAT_ON.includes(category) ? [...views, 'material'] : views) must(shows({ kind }), `no picture is a ${kind}`);
  for (const { hexCode } of colors) must(shows({ kind: 'packshot', color: hexCode }), `no packshot shows ${hexCode}`);
  for (const { size } of sizes.length > 1 ? sizes : []) if (!shows({ kind: 'packshot', size })) unshown.push(`${slug} (${size})`);
}

/** Each picture is there, in its size, and a packshot's product has the colour of its swatch. */
async function checkPicture({ file, kind, color }, must) {
  const isShared = kind === 'material' && listedMaterials.has(file);
  if (kind === 'material') listedMaterials.add(file);
  if (!unlisted.delete(file) && !isShared) return must(false, `${file} is not there, or listed twice`);
  const path = here(`pictures/${file}`);
  const { width, height } = await sharp(path).metadata();
  const is = `${width}×${height}`;
  if (is === BEFORE) small.push(file);
  else must(is === (kind === 'room' ? ROOM : MASTER), `${file} must be ${kind === 'room' ? ROOM : MASTER}`);
  must(statSync(path).size <= LARGEST_PICTURE, `${file} is above ${LARGEST_PICTURE / 1024} KB`);
  if (kind !== 'packshot' || !color) return;
  const points = swatches[file];
  if (!points) return must(is === BEFORE, `${file} has no points in swatches.json`);
  const seen = await meanColour(path, points);
  const difference = differenceOf(color, seen);
  must(difference <= LARGEST_DIFFERENCE, `${file} shows ${seen}, its swatch is ${color} (CIEDE2000 ${difference.toFixed(1)})`);
}

/** A set stands where all of its parts do. */
const standsIn = (slug, { products: spots }) => {
  const parts = partsOf(bySlug.get(slug) ?? {});
  return slug in spots || (parts.length > 0 && parts.every((part) => part.slug in spots));
};

/** Each place of the home page has a picture of its own, which is no packshot: the page's list of products shows those. */
function checkHome() {
  const packshots = new Set(products.map(({ slug }) => `pictures/${slug}`));
  for (const { from, cuts } of home) {
    expect(existsSync(here(`${from}.webp`)), `the home page shows ${from}, which is not there`);
    expect(!packshots.has(from) && cuts.length > 0, `the home page shows the packshot ${from}`);
  }
  expect(new Set(home.map(({ from }) => from)).size === home.length, 'a picture stands twice on the home page');
}

/** Each category has a text, and a room for its picture. */
function checkCategories() {
  expect(
    categories
      .map(({ name }) => name)
      .sort()
      .join() === CATEGORIES.toSorted().join(),
    'categories.json does not have each category once',
  );
  for (const { name, file, text } of categories)
    expect(isText(text) && rooms.some((room) => room.file === file), `category ${name} is malformed`);
}

/** Rooms say what they show; those that are listed but not rendered yet are named at the end. */
async function checkRooms() {
  const cut = rooms.flatMap((room) => Object.keys(room.cuts));
  const pictured = new Set(products.filter(({ images }) => images.some(({ kind }) => kind === 'room')).map(({ slug }) => slug));
  for (const slug of cut) expect(pictured.has(slug), `rooms.json cuts a room for ${slug}, which does not show it`);
  for (const { slug, category, subCategory } of products)
    expect(pictured.has(slug) || ![category, subCategory].some((name) => FURNISHING.includes(name)), `${slug} shows itself in no room`);
  const scenes = new Set(readdirSync(here('scenes')));
  for (const field of ['file', 'alt'])
    expect(new Set(rooms.map((room) => room[field])).size === rooms.length, `a room's ${field} appears twice`);
  for (const room of rooms) {
    const { file, shape, alt, products: spots, cuts, ...more } = room;
    const shown = Object.keys(spots);
    for (const place of Object.values(spots).flat()) expect(place >= 5 && place <= 95, `a place in room ${file} is at its edge`);
    expect(isText(alt) && Object.keys(more).length === 0, `room ${file} is malformed`);
    for (const slug of Object.keys(cuts)) expect(standsIn(slug, room), `room ${file} is cut for ${slug}, which does not stand in it`);
    for (const slug of shown) expect(slugs.has(slug), `room ${file} shows ${slug}, which is no product`);
    if (!scenes.delete(file)) {
      unshown.push(file);
      continue;
    }
    const { width, height } = await sharp(here(`scenes/${file}`)).metadata();
    expect(shape === (width > height ? 'wide' : 'tall'), `${file} is not ${shape}`);
    expect(Math.max(width, height) >= 1200, `${file} must be at least 1200 pixels on its long side`);
    expect(statSync(here(`scenes/${file}`)).size <= LARGEST_PICTURE, `${file} is above ${LARGEST_PICTURE / 1024} KB`);
  }
  for (const scene of scenes) faults.push(`${scene} is not in rooms.json`);
  for (const { slug, subCategory } of products)
    expect(SMALL.includes(subCategory) || rooms.some((room) => standsIn(slug, room)), `${slug} stands in no room`);
}

for (const product of products) {
  const must = (holds, what) => expect(holds, `${product.slug}: ${what}`);
  checkProduct(product, must);
  checkSizes(product, must);
  checkSet(product, must);
  checkShown(product, must);
  for (const image of product.images) await checkPicture(image, must);
  for (const [place, size] of product.sizes.entries()) {
    const model = `${place === 0 ? product.slug : size.model}.glb`;
    if (models.delete(model)) modelBytes.push(await checkModel(here(`models/${model}`), size, product.colors, must));
    else must(false, `there is no model of its size ${size.size}`);
  }
}
for (const model of models) faults.push(`${model} belongs to no product`);
for (const picture of unlisted) faults.push(`${picture} belongs to no product`);
for (const field of ['slug', 'name'])
  expect(new Set(products.map((product) => product[field])).size === products.length, `a ${field} appears twice`);
for (const category of CATEGORIES)
  expect(products.filter((product) => product.category === category).length >= 3, `${category} has fewer than 3 products`);
await checkRooms();
checkHome();
checkCategories();
const bytesOf = (folder) => readdirSync(here(folder)).reduce((sum, name) => sum + statSync(here(`${folder}/${name}`)).size, 0);
const bytes = bytesOf('pictures') + bytesOf('scenes') + bytesOf('widths') + bytesOf('models');
expect(bytes <= LARGEST_FOLDER, 'the pictures and models are above 60 MB');
const meanModel = modelBytes.reduce((sum, size) => sum + size, 0) / Math.max(1, modelBytes.length) / 1024;
expect(meanModel <= MEAN_MODEL, `the models have ${meanModel.toFixed(0)} KB on average`);

for (const fault of faults) console.error(fault);
if (small.length) console.log(`Still ${BEFORE}: ${small.length} pictures`);
if (unshown.length) console.log(`Still to be rendered (${unshown.length}): ${unshown.join(', ')}`);
console.log(`${modelBytes.length} models of ${meanModel.toFixed(0)} KB on average`);
console.log(`${products.length} products, ${pictureCount} pictures, ${(bytes / 1024 / 1024).toFixed(1)} MB, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
