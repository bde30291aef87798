/** Makes the home page's pictures in several widths and two formats from demo. Run after one of them has changed: node scripts/scenes.mjs */
import { mkdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';

const OUT = 'src/web/shop/home/pictures';
mkdirSync(OUT, { recursive: true });

/** What stands on the home page, each picture once, with its cuts: crops are [left, top, width, height] as parts of the picture. */
const HOME = JSON.parse(readFileSync('demo/home.json', 'utf8'));

// Looked at beside the scene, enlarged and with more contrast: below these, plain walls break into plates.
const AVIF = { quality: 62, effort: 6 };
const WEBP = { quality: 82 };

for (const { from, cuts } of HOME) for (const cut of cuts) await make(sharp(`demo/${from}.webp`), cut);

async function make(scene, { name, crop, widths }) {
  const { width, height } = await scene.metadata();
  const [left, top, wide, high] = [crop[0] * width, crop[1] * height, crop[2] * width, crop[3] * height].map(Math.floor);
  for (const to of widths) {
    const cut = scene.clone().extract({ left, top, width: wide, height: high }).resize({ width: to });
    await cut.clone().avif(AVIF).toFile(`${OUT}/${name}-${to}.avif`);
    await cut.clone().webp(WEBP).toFile(`${OUT}/${name}-${to}.webp`);
  }
}
