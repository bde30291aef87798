import { MEASUREMENTS_KEY } from '#web/browser/browser-storage.ts';
import { storedValue } from '#web/browser/stored-value.ts';
import { SIDES, type Space } from './dimensions.ts';

/** Measurements as typed, and the parsed space. */
export interface KeptMeasurements {
  texts: Readonly<Record<string, string>>;
  /** Undefined if no space was typed. */
  space?: Space | undefined;
  /** The width of the narrowest door in millimetres; undefined if no door was typed. */
  door?: number | undefined;
}

/** Validates a stored space. */
function spaceOf(stored: unknown): Space | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const sides = Object.entries(stored).filter(([name, length]) => SIDES.some((side) => side === name) && typeof length === 'number');
  return sides.length > 0 ? Object.fromEntries(sides) : undefined;
}

/** The visitor's measurements, stored in this browser only. */
export const keptMeasurements = storedValue<KeptMeasurements>(MEASUREMENTS_KEY, (stored) => {
  const { texts, space, door } = (stored ?? {}) as Partial<Record<keyof KeptMeasurements, unknown>>;
  if (typeof texts !== 'object' || texts === null) return undefined;
  const typed = Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { texts: Object.fromEntries(typed), space: spaceOf(space), door: typeof door === 'number' && door > 0 ? door : undefined };
});
