import { MAX_COMPARED } from '#contract/platform/limits.ts';
import { storedValue } from '#web/browser/stored-value.ts';

/** A chosen product, with the fields shown in the bar. */
export interface Compared {
  _id: string;
  name: string;
  image: string;
  /** The parameters of its variant's URL. */
  variant?: string | undefined;
}

/** A compared product in a URL. */
export type Wanted = Pick<Compared, '_id' | 'variant'>;

const isCompared = (value: unknown): value is Compared =>
  typeof value === 'object' &&
  value !== null &&
  ['_id', 'name', 'image'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** The chosen products, stored in this browser only. */
export const keptCompared = storedValue<readonly Compared[]>('compared', (stored) =>
  Array.isArray(stored) ? stored.filter(isCompared).slice(0, MAX_COMPARED) : undefined,
);

export const FULL_TEXT = `You can compare ${MAX_COMPARED} pieces at a time. Remove one first.`;

/** Adds a product. Returns an error sentence if no more can be compared. */
export function chooseCompared({ _id, name, image, variant }: Compared): string | undefined {
  const all = keptCompared.read() ?? [];
  if (all.some((one) => one._id === _id)) return undefined;
  if (all.length >= MAX_COMPARED) return FULL_TEXT;
  keptCompared.write([...all, { _id, name, image, variant }]);
  return undefined;
}

export function dropCompared(id: string): void {
  const left = (keptCompared.read() ?? []).filter(({ _id }) => _id !== id);
  keptCompared.write(left.length > 0 ? left : undefined);
}
