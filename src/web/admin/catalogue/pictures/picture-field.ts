import type { Shown } from '#contract/catalogue/shown-picture.ts';

/** A picture of the form, new or already stored, and what it shows. */
export type PictureField = ({ file: File; preview: string } | { url: string }) & { shown: Shown };

/** The sizes and colours that a picture may show. */
export interface VariantOptions {
  sizes: readonly string[];
  colours: readonly { value: string; name: string }[];
}

/** Drops a size or colour that was renamed or removed. */
export function withoutRemovedVariant({ size, color, ...shown }: Shown, { sizes, colours }: VariantOptions): Shown {
  return {
    ...shown,
    size: size && sizes.includes(size) ? size : null,
    color: colours.some(({ value }) => value === color) ? color : null,
  };
}
