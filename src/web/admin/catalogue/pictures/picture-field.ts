import type { Shown } from '#contract/catalogue/shown-picture.ts';

/** A picture of the form, chosen now or on the product already, and what it shows. */
export type PictureField = ({ file: File; preview: string } | { url: string }) & { shown: Shown };

/** What a picture may show one of: the product's sizes, and its colours by the name that people read. */
export interface Offered {
  sizes: readonly string[];
  colours: readonly { value: string; name: string }[];
}

/** What a picture shows, without a size or colour that was renamed or removed since it was said. */
export function offeredOf({ size, color, ...shown }: Shown, { sizes, colours }: Offered): Shown {
  return {
    ...shown,
    size: size && sizes.includes(size) ? size : null,
    color: colours.some(({ value }) => value === color) ? color : null,
  };
}
