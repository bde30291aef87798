/** Colours of pictures, and how different two colours look. */
import sharp from 'sharp';

const RADIUS = 2;

const linearOf = (level) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4);
const levelOf = (linear) => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);
const channelsOf = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
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

/** A hex value in CIELAB, white point D65. */
function labOf(hex) {
  const [r, g, b] = channelsOf(hex).map(linearOf);
  const [fx, fy, fz] = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * (24389 / 27) + 16) / 116));
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const radians = (degrees) => (degrees * Math.PI) / 180;
const hueOf = (b, a) => (a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360);

/** The difference of two hue angles in degrees, and their mean, round the circle. */
function huesOf(h1, h2, isGrey) {
  if (isGrey) return { difference: 0, mean: h1 + h2 };
  const turn = h2 - h1;
  if (Math.abs(turn) <= 180) return { difference: turn, mean: (h1 + h2) / 2 };
  return { difference: turn > 0 ? turn - 360 : turn + 360, mean: h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2 };
}

/** CIEDE2000 of two hex values: 1 is just visible beside each other, above 6 is another colour to a shopper. */
export function colourDifference(hex1, hex2) {
  const [[l1, a1, b1], [l2, a2, b2]] = [labOf(hex1), labOf(hex2)];
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = huesOf(hueOf(b1, x1), hueOf(b2, x2), c1 * c2 === 0);
  const chroma = (c1 + c2) / 2;
  const light = (l1 + l2) / 2;
  const t =
    1 -
    0.17 * Math.cos(radians(hue.mean - 30)) +
    0.24 * Math.cos(radians(2 * hue.mean)) +
    0.32 * Math.cos(radians(3 * hue.mean + 6)) -
    0.2 * Math.cos(radians(4 * hue.mean - 63));
  const dl = (l2 - l1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2));
  const dc = (c2 - c1) / (1 + 0.045 * chroma);
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(hue.difference / 2))) / (1 + 0.015 * chroma * t);
  const rotation =
    -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((hue.mean - 275) / 25) ** 2))));
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
}
