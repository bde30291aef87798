/** Checks products.json against its rules and against the pictures that are there: `node demo/check.mjs`. */
import { readdirSync, readFileSync, statSync } from 'node:fs';

const CATEGORIES = ['Sofa', 'Wardrobe', 'Chair', 'Lamp', 'Bench', 'Table Decor'];
const FIELDS =
  'slug name description fit category subCategory brand price countInStock isNewArrival isRecommend rating sizes colors images'.split(' ');
const VIEWS = ['', '-front', '-detail'];
const SCENES = ['living-room.webp', 'sofa.webp', 'wardrobe.webp'];
const LARGEST_FOLDER = 14 * 1024 * 1024;
const LARGEST_SCENE = 200 * 1024;

const here = (path) => new URL(path, import.meta.url);
const faults = [];
const missing = [];
const expect = (holds, what) => holds || faults.push(what);

const isText = (value) => typeof value === 'string' && value.trim() === value && value.length > 0;
const isWhole = (value) => Number.isInteger(value) && value >= 0;
const hasOnly = (object, names) => Object.keys(object).join() === names.join();

/** Width and height of a WebP with or without the extended header. */
function pictureSize(path) {
  const bytes = readFileSync(here(path));
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return [0, 0];
}

function checkProduct(product) {
  const { slug } = product;
  const must = (holds, what) => expect(holds, `${slug}: ${what}`);
  must(hasOnly(product, FIELDS), `fields must be exactly ${FIELDS.join(', ')}`);
  must(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug), 'slug must be lower-case words joined by hyphens');
  for (const field of ['name', 'description', 'fit', 'subCategory', 'brand']) must(isText(product[field]), `${field} must be a text`);
  must(CATEGORIES.includes(product.category), `unknown category ${product.category}`);
  must(isWhole(product.price) && product.price > 0, 'price must be whole pence');
  must(
    product.rating >= 0 && product.rating <= 5 && Number.isInteger(Math.round(product.rating * 1000) / 100),
    'rating must be 0 to 5 with one decimal',
  );
  must(typeof product.isNewArrival === 'boolean' && typeof product.isRecommend === 'boolean', 'flags must be true or false');

  for (const size of product.sizes) {
    must(hasOnly(size, ['size', 'quantity', 'price', 'measurements']), 'a size has size, quantity, price and measurements');
    must(isText(size.size) && isWhole(size.quantity) && isWhole(size.price), `size ${size.size} is malformed`);
    for (const measure of size.measurements)
      must(isText(measure.name) && /^\d+(\.\d+)?$/.test(measure.value), `measurement ${measure.name} of ${size.size} must be centimetres`);
  }
  const total = product.sizes.reduce((sum, size) => sum + size.quantity, 0);
  must(
    isWhole(product.countInStock) && (product.sizes.length === 0 || total === product.countInStock),
    `${product.countInStock} in stock but ${total} in its sizes`,
  );
  must(new Set(product.sizes.map((size) => size.size)).size === product.sizes.length, 'a size appears twice');

  for (const colour of product.colors)
    must(/^#[0-9a-f]{6}$/.test(colour.hexCode) && colour.colorName === colour.hexCode, 'a colour has the same hex value twice');

  const pictures = VIEWS.map((view) => `${slug}${view}.webp`);
  must(product.images[0] === pictures[0], 'the first picture must be the whole product');
  for (const picture of product.images) must(pictures.includes(picture) && files.has(picture), `${picture} is not there`);
  for (const picture of pictures) {
    if (!files.has(picture)) missing.push(picture);
    else {
      must(product.images.includes(picture), `${picture} is there but not listed`);
      must(pictureSize(`pictures/${picture}`).join('×') === '960×1200', `${picture} must be 960×1200`);
      files.delete(picture);
    }
  }
}

const products = JSON.parse(readFileSync(here('products.json'), 'utf8'));
const files = new Set(readdirSync(here('pictures')));
const pictureCount = files.size;
const bytesOf = (folder) => readdirSync(here(folder)).reduce((sum, name) => sum + statSync(here(`${folder}/${name}`)).size, 0);

for (const product of products) checkProduct(product);
for (const picture of files) faults.push(`${picture} belongs to no product`);
for (const field of ['slug', 'name'])
  expect(new Set(products.map((product) => product[field])).size === products.length, `a ${field} appears twice`);
for (const category of CATEGORIES)
  expect(products.filter((product) => product.category === category).length >= 4, `${category} has fewer than 4 products`);
for (const scene of SCENES) {
  expect(Math.max(...pictureSize(`scenes/${scene}`)) >= 1200, `${scene} must be at least 1200 pixels on its long side`);
  expect(statSync(here(`scenes/${scene}`)).size < LARGEST_SCENE, `${scene} must be below 200 KB`);
}
const bytes = bytesOf('pictures') + bytesOf('scenes');
expect(bytes <= LARGEST_FOLDER, 'the pictures are above 14 MB');

for (const fault of faults) console.error(fault);
if (missing.length) console.log(`Still to be photographed (${missing.length}): ${missing.join(' ')}`);
console.log(`${products.length} products, ${pictureCount} pictures, ${(bytes / 1024 / 1024).toFixed(1)} MB, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
