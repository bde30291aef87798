/** A colour in CIELAB: lightness, green to red, blue to yellow. Equal steps look about equally far apart. */
export type Lab = readonly [number, number, number];

const linearOf = (level: number) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4);

/** Red, green and blue of a hex code, 0 to 1; undefined for any other text. "#abc" is short for "#aabbcc". */
function channelsOf(hex: string): [number, number, number] | undefined {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(hex.trim())?.[1];
  if (!digits) return undefined;
  const long = digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

/** A hex code in CIELAB, by the constants of the CIE for sRGB and the white point D65; undefined for any other text. */
export function labOf(hex: string): Lab | undefined {
  const channels = channelsOf(hex);
  if (!channels) return undefined;
  const [r, g, b] = channels.map(linearOf) as [number, number, number];
  const [fx, fy, fz] = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * (24389 / 27) + 16) / 116)) as [number, number, number];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const hueOf = (b: number, a: number) => (a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360);

/** The difference of two hue angles in degrees, and their mean, round the circle. */
function huesOf(h1: number, h2: number, isGrey: boolean): { difference: number; mean: number } {
  if (isGrey) return { difference: 0, mean: h1 + h2 };
  const turn = h2 - h1;
  if (Math.abs(turn) <= 180) return { difference: turn, mean: (h1 + h2) / 2 };
  return { difference: turn > 0 ? turn - 360 : turn + 360, mean: h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2 };
}

/** How far apart two colours look (CIEDE2000): 1 is just visible beside each other, above 6 is another colour to a shopper. */
export function colourDifference([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
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
