import type { Product } from '#contract/catalogue/catalogue.ts';

/** A picture's width on the page, as CSS `sizes`. */
export const PAGE_SIZES = '(min-width: 768px) 45vw, 100vw';

/**
 * `sizes` of a whole picture on a phone, at the gallery's height (`gallery.tsx`). In vw, not vh: Chrome's vh differs before layout, and it
 * would fetch two widths.
 */
export const WHOLE_SIZES = '(min-width: 768px) 45vw, 75vw';

/** The same for a piece that is shown in a wide frame. */
export const WIDE_SIZES = '(min-width: 768px) 54vw, 100vw';

/** The ratio of width to height from which a piece leaves a 4:5 picture empty above and below: it is shown in a wide frame. */
const WIDE = 1.5;

/** Whether a product's first size is much wider than high, such as a sofa or a bench. */
export function isWide({ dimensions: [first] }: Pick<Product, 'dimensions'>): boolean {
  return !!first?.width && !!first.height && first.width >= WIDE * first.height;
}

export interface GalleryPicture {
  src: string;
  alt: string;
  /** A piece on a plain ground that is not wide: never cropped, and the sides may be extended. Other pictures fill their frame. */
  isWhole: boolean;
}

/** Suffixes of the alt text, unless the picture shows the whole piece. */
const KIND_TEXTS: Record<string, string> = { room: ', in a room', detail: ', a detail', material: ', its material' };

/** A product's pictures with alt texts. */
export function picturesOf({
  name,
  images,
  pictures,
  ...rest
}: Pick<Product, 'name' | 'images' | 'pictures' | 'dimensions'>): GalleryPicture[] {
  const fillsFrame = isWide(rest);
  return images.map((src, index) => {
    const kindText = KIND_TEXTS[pictures[index]?.kind ?? ''];
    const ownText = pictures[index]?.text;
    return {
      src,
      isWhole: !kindText && !fillsFrame,
      alt: ownText || `${name}${kindText ?? ''}${images.length > 1 ? `, picture ${index + 1} of ${images.length}` : ''}`,
    };
  });
}
