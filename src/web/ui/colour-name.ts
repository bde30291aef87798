const NAMES: readonly [number, string][] = [
  [15, 'red'],
  [40, 'rust'],
  [52, 'ochre'],
  [70, 'olive'],
  [95, 'moss'],
  [165, 'green'],
  [195, 'teal'],
  [250, 'blue'],
  [290, 'violet'],
  [340, 'plum'],
  [361, 'red'],
];

function parts(hex: string): { hue: number; saturation: number; lightness: number } | undefined {
  const match = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex.trim());
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((pair) => Number.parseInt(pair, 16) / 255);
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = max - min;
  const lightness = (max + min) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  const sector = max === red ? ((green - blue) / range) % 6 : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: range === 0 ? 0 : (sector * 60 + 360) % 360, saturation, lightness };
}

function tone(lightness: number): string {
  if (lightness < 0.3) return 'Deep ';
  return lightness > 0.72 ? 'Pale ' : '';
}

function neutral(lightness: number, isWarm: boolean): string {
  if (lightness < 0.12) return 'Black';
  if (lightness < 0.32) return 'Charcoal';
  if (lightness < 0.68) return isWarm ? 'Warm grey' : 'Grey';
  if (lightness < 0.9) return isWarm ? 'Oatmeal' : 'Light grey';
  return isWarm ? 'Cream' : 'White';
}

/** A colour value in words, such as `#5f6b52` → `Moss`; a text that is no value speaks for itself. */
export function colourName(value: string): string {
  const colour = parts(value);
  if (!colour) return value;
  const { hue, saturation, lightness } = colour;
  if (lightness < 0.08 || lightness > 0.96 || saturation < 0.1) return neutral(lightness, saturation > 0.04 && hue < 80);
  // What is nearly white has little colour, whatever its saturation says.
  if (saturation * (1 - Math.abs(2 * lightness - 1)) < 0.1 && lightness > 0.8) return neutral(lightness, hue < 80);
  if (saturation < 0.34 && hue > 15 && hue < 70)
    return lightness < 0.5 ? (lightness < 0.3 ? 'Deep brown' : 'Taupe') : neutral(lightness, true);
  if (hue > 15 && hue < 40 && lightness < 0.3) return 'Dark brown';
  if (hue > 15 && hue < 32 && saturation < 0.6) return 'Tan';
  const name = `${tone(lightness)}${NAMES.find(([limit]) => hue < limit)?.[1] ?? 'red'}`;
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
}
