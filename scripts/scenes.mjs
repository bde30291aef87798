/**
 * Cuts the rooms of the demo: the home page's pictures, in several widths, and each product's picture of itself in a room.
 * Run after a room or a cut has changed: node scripts/scenes.mjs
 */
import { mkdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';

const OUT = 'src/web/shop/home/pictures';
mkdirSync(OUT, { recursive: true });

/** What stands on the home page, each picture once, with its cuts: crops are [left, top, width, height] as parts of the picture. */
const HOME = JSON.parse(readFileSync('demo/home.json', 'utf8'));
/** The rooms, with the crop that shows a product best. */
const ROOMS = JSON.parse(readFileSync('demo/rooms.json', 'utf8'));

// Looked at beside the scene, enlarged and with more contrast: below these, plain walls break into plates.
const AVIF = { quality: 62, effort: 6 };
const WEBP = { quality: 82 };
/** A picture that others are made from. */
const MASTER = { quality: 90, effort: 6 };
/** The shape of every picture of a product. */
const [WIDE, HIGH] = [1200, 1500];

for (const { from, cuts } of HOME) for (const cut of cuts) await make(sharp(`demo/${from}.webp`), cut);
for (const { file, cuts } of ROOMS)
  for (const [slug, crop] of Object.entries(cuts)) {
    const cut = await cutOf(sharp(`demo/scenes/${file}`), crop);
    await cut.resize(WIDE, HIGH).webp(MASTER).toFile(`demo/pictures/${slug}-room.webp`);
  }

async function cutOf(scene, crop) {
  const { width, height } = await scene.metadata();
  const [left, top, wide, high] = [crop[0] * width, crop[1] * height, crop[2] * width, crop[3] * height].map(Math.floor);
  return scene.clone().extract({ left, top, width: wide, height: high });
}

async function make(scene, { name, crop, widths }) {
  const cut = await cutOf(scene, crop);
  for (const to of widths) {
    const small = cut.clone().resize({ width: to });
    await small.clone().avif(AVIF).toFile(`${OUT}/${name}-${to}.avif`);
    // For browsers that do not know AVIF.
    if (to === Math.max(...widths)) await small.webp(WEBP).toFile(`${OUT}/${name}-${to}.webp`);
  }
}
