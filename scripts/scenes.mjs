/** Makes the home page's pictures in several widths and two formats from demo. Run after one of them has changed: node scripts/scenes.mjs */
import { mkdirSync } from 'node:fs';
import sharp from 'sharp';

const OUT = 'src/web/shop/home/pictures';
mkdirSync(OUT, { recursive: true });

/** Crops are [left, top, width, height] as parts of the picture. */
const SCENES = [
  { name: 'living-room-wide', from: 'scenes/living-room', crop: [0, 0.06, 1, 0.94], widths: [768, 1024, 1440] },
  { name: 'living-room-tall', from: 'scenes/living-room', crop: [0.12, 0.16, 0.58, 0.84], widths: [480, 800] },
  { name: 'room', from: 'scenes/sofa', crop: [0, 0.2, 1, 0.8], widths: [480, 960] },
  { name: 'wardrobe', from: 'scenes/wardrobe', crop: [0, 0, 1, 1], widths: [480, 960] },
  { name: 'sofa', from: 'pictures/rowan-wool-sofa-detail', crop: [0, 0, 1, 1], widths: [480, 960] },
  // The page's list of products shows them whole: these show what they are made of.
  { name: 'chair', from: 'pictures/hythe-cord-chair-detail', crop: [0, 0, 1, 1], widths: [640] },
  { name: 'lamp', from: 'pictures/arden-arc-lamp-detail', crop: [0, 0, 1, 1], widths: [640] },
  { name: 'bench', from: 'pictures/mossley-upholstered-bench-detail', crop: [0, 0, 1, 1], widths: [640] },
  { name: 'table', from: 'pictures/pebble-coffee-table-detail', crop: [0, 0, 1, 1], widths: [640] },
];

// Looked at beside the scene, enlarged and with more contrast: below these, plain walls break into plates.
const AVIF = { quality: 62, effort: 6 };
const WEBP = { quality: 82 };

for (const { name, from, crop, widths } of SCENES) {
  const scene = sharp(`demo/${from}.webp`);
  const { width, height } = await scene.metadata();
  const [left, top, wide, high] = [crop[0] * width, crop[1] * height, crop[2] * width, crop[3] * height].map(Math.floor);
  for (const to of widths) {
    const cut = scene.clone().extract({ left, top, width: wide, height: high }).resize({ width: to });
    await cut.clone().avif(AVIF).toFile(`${OUT}/${name}-${to}.avif`);
    await cut.clone().webp(WEBP).toFile(`${OUT}/${name}-${to}.webp`);
  }
}
