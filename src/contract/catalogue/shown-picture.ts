import type { z } from 'zod';
import type * as form from './product-form.schema.ts';

/** What a product's picture shows: its kind and, if it is specific, the size and colour. */
export type Shown = z.infer<typeof form.Shown>;

function agreement(shown: string | null | undefined, chosen: string | null | undefined): number {
  if (!shown) return 0;
  return shown === chosen ? 1 : -1;
}

/** The score of a detail or room: lower than any that a size and a colour can have. */
const NO_CHOICE = -9;

/**
 * The index of the picture that best shows a size and a colour; colour matters more. 0 if no picture is better than the first. Details and rooms never
 * represent a choice.
 */
export function pictureOf(pictures: readonly Shown[], size: string | null | undefined, color: string | null | undefined): number {
  const scores = pictures.map((shown) =>
    (shown.kind ?? 'packshot') === 'packshot' ? 2 * agreement(shown.color, color) + agreement(shown.size, size) : NO_CHOICE,
  );
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}
