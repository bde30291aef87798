import type { z } from 'zod';
import type * as form from './product-form.schema.ts';

/** What a picture of a product shows: its kind, and the size and the colour where it is of one of them. */
export type Shown = z.infer<typeof form.Shown>;

const agreement = (shown: string | null | undefined, chosen: string | null | undefined) => (!shown ? 0 : shown === chosen ? 1 : -1);

/**
 * The place of the picture that shows a size and a colour best, the colour before the size; 0, the first, where none shows them better. Views of a
 * part and of a room never stand for what is chosen.
 */
export function pictureOf(pictures: readonly Shown[], size: string | null | undefined, color: string | null | undefined): number {
  const points = pictures.map((shown) =>
    (shown.kind ?? 'packshot') === 'packshot' ? 2 * agreement(shown.color, color) + agreement(shown.size, size) : -9,
  );
  return Math.max(0, points.indexOf(Math.max(...points)));
}
