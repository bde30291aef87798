/** Colours of pictures, and how different two colours look. */
import sharp from 'sharp';
import { colourDifference, labOf } from '../src/contract/catalogue/colour-difference.ts';

const RADIUS = 2;

const linearOf = (level) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4);
const levelOf = (linear) => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);
const hexOf = (levels) =>
  `#${levels
    .map((level) =>
      Math.round(level * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Mean light of a picture round some points, as a hex value. Points are [x, y] in thousandths of its width and height. */
export async function meanColour(path, points) {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const sum = [0, 0, 0];
  let count = 0;
  for (const [x, y] of points) {
    const column = Math.round((x / 1000) * info.width);
    const row = Math.round((y / 1000) * info.height);
    for (let dy = -RADIUS; dy <= RADIUS; dy++)
      for (let dx = -RADIUS; dx <= RADIUS; dx++) {
        const at = ((row + dy) * info.width + column + dx) * info.channels;
        for (const channel of [0, 1, 2]) sum[channel] += linearOf(data[at + channel] / 255);
        count++;
      }
  }
  return hexOf(sum.map((light) => levelOf(light / count)));
}

/** CIEDE2000 of two hex values: 1 is just visible beside each other, above 6 is another colour to a shopper. */
export const differenceOf = (hex1, hex2) => colourDifference(labOf(hex1), labOf(hex2));
