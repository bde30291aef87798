/** The units in which the shop's filters take lengths. */
export type LengthUnit = 'cm' | 'in';

const MILLIMETRES: Record<LengthUnit, number> = { cm: 10, in: 25.4 };

const FOOT = 304.8;
/** How people write units, in millimetres; feet may be followed by inches. */
const WRITTEN: [unit: RegExp, millimetres: number][] = [
  [/^(?:cm|centimet(?:re|er)s?)$/, 10],
  [/^(?:mm|millimet(?:re|er)s?)$/, 1],
  [/^(?:m|met(?:re|er)s?)$/, 1_000],
  [/^(?:in|inch|inches|"|”|″)$/, 25.4],
  [/^(?:ft|feet|foot|'|’|′)$/, FOOT],
];
const LENGTH = /^(\d+(?:\.\d+)?) ?([a-z"”″'’′]*)(?: ?(\d+(?:\.\d+)?) ?(?:in|inch|inches|"|”|″)?)?$/;
/** Millimetres; what is longer is no furniture. */
const LONGEST = 1_000_000;

/** Without the noise of floating point: lengths are compared to a ten-thousandth. */
const exact = (value: number) => Number(value.toFixed(4));

/** Which end of a range a length is. */
export type Bound = 'min' | 'max';

/** The shortest number that, as a bound in a unit, lets the same whole millimetres through as a bound in millimetres. */
function boundIn(millimetres: number, unit: LengthUnit, bound: Bound): number {
  const [inwards, outwards] = bound === 'max' ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor];
  const whole = inwards(exact(millimetres));
  const rounded = [1, 10, 100].map((digits) => outwards(exact((whole / MILLIMETRES[unit]) * digits)) / digits);
  return rounded.find((value) => inwards(exact(value * MILLIMETRES[unit])) === whole) ?? (rounded[2] as number);
}

/** A bound of a filter in another unit: at most 200 cm is at most 78.75 inches, and that is at most 200 cm again. */
export const convertBound = (length: number, from: LengthUnit, to: LengthUnit, bound: Bound): number =>
  boundIn(length * MILLIMETRES[from], to, bound);

/**
 * A bound as people type it into a box whose unit is known: `120`, `120 cm`, `47.5"`, `6 ft 2`. In that unit; undefined for what is no length.
 */
export function lengthOf(text: string, unit: LengthUnit, bound: Bound): number | undefined {
  const written = text.toLowerCase().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const [, number = '', name = '', inches] = LENGTH.exec(written.trim().replace(/\s+/g, ' ')) ?? [];
  const own = name === '' ? MILLIMETRES[unit] : WRITTEN.find(([pattern]) => pattern.test(name))?.[1];
  if (number === '' || own === undefined || (inches !== undefined && own !== FOOT)) return undefined;
  const millimetres = Number(number) * own + Number(inches ?? 0) * MILLIMETRES.in;
  if (millimetres > LONGEST) return undefined;
  return name === '' ? Number(Number(number).toFixed(2)) : boundIn(millimetres, unit, bound);
}
