import type { Product } from '#contract/catalogue/catalogue.ts';

/** How wide a picture stands on the page, as in CSS `sizes`. */
export const PAGE_SIZES = '(min-width: 768px) 45vw, 100vw';

/**
 * The same of a picture that stands whole on a phone, as high as the gallery is there (`gallery.tsx`). Not by the screen's height: before the page is laid
 * out Chrome takes another one, and fetches two widths.
 */
export const WHOLE_SIZES = '(min-width: 768px) 45vw, 75vw';

/** A picture as the gallery shows it. */
export interface GalleryPicture {
  src: string;
  alt: string;
  /** The piece stands on a plain ground, of which there may be more at the sides; nothing of the piece is cut off. Other pictures fill their place. */
  isWhole: boolean;
}

/** What is seen, where it is not the whole piece. */
const SEEN: Record<string, string> = { room: ', in a room', detail: ', a detail', material: ', its material' };

/** The pictures of a product, and what each is called. */
export function picturesOf({ name, images, pictures }: Pick<Product, 'name' | 'images' | 'pictures'>): GalleryPicture[] {
  return images.map((src, index) => {
    const seen = SEEN[pictures[index]?.kind ?? ''];
    return { src, isWhole: !seen, alt: `${name}${seen ?? ''}${images.length > 1 ? `, picture ${index + 1} of ${images.length}` : ''}` };
  });
}
