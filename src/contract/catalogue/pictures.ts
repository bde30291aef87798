/** The widths of every picture in pixels; the URL of a product's picture names the largest. */
export const PICTURE_WIDTHS = [160, 320, 480, 640, 960, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];
/** For zoom: the URL with this width serves the stored original, a WebP of at most 1600×2000 pixels. */
export const ORIGINAL_WIDTH = 1600;
/** The formats of every picture, best first. */
export const PICTURE_FORMATS = ['avif', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A width and format of a picture. */
export interface PictureVariant {
  width: PictureWidth;
  format: PictureFormat | 'jpeg' | 'png';
}
/** For mails: a square JPEG, since Outlook for Windows shows neither WebP nor AVIF. No page asks for it. */
export const MAIL_VARIANT = { width: 160, format: 'jpeg' } as const satisfies PictureVariant;
/** For the shop's logo and favicon, at most this wide and high: mail programs, PDFs and the payment provider read no WebP. */
export const MARK_VARIANT = { width: 480, format: 'png' } as const satisfies PictureVariant;
const variants = (): readonly PictureVariant[] => [
  ...PICTURE_WIDTHS.flatMap((width) => PICTURE_FORMATS.map((format) => ({ width, format }))),
  MAIL_VARIANT,
];
/** Marked as pure, so that the bundler leaves it out of the browser's code. */
export const PICTURE_VARIANTS = /* @__PURE__ */ variants();

/** `/images/{id}-1200.webp`, the URL stored on the product. The id is a hash of the picture's content, so a URL always shows the same picture. */
export function pictureUrl(id: string, width: PictureWidth = 1200, format: PictureVariant['format'] = 'webp'): string {
  return `/images/${id}-${width}.${format}`;
}

/**
 * The URL at which a picture or model is shown. `from` is `PICTURES_URL`, or empty if the shop serves them. Signed URLs, such as of a hidden
 * review, are served by the shop, which checks the signature.
 */
export const shownUrl = (from: string, url: string): string => (/^\/[^?]*$/.test(url) ? from + url : url);

/** `/images/{id}-1200.webp` → `{id}`, or undefined for other URLs. */
export const pictureId = (url: string): string | undefined => /^\/images\/(\w+)-\d+\.webp$/.exec(url)?.[1];

/** The ids of those that are pictures of the shop. */
export const pictureIds = (urls: readonly string[]): string[] => urls.flatMap((url) => pictureId(url) ?? []);

/** `/images/{id}-1200.webp` → the URL of that picture as a logo or favicon; empty for other URLs. */
export function markUrl(url: string): string {
  const id = pictureId(url);
  return id ? pictureUrl(id, MARK_VARIANT.width, MARK_VARIANT.format) : '';
}

/** `/images/{id}-1200.webp` → `srcset` of its AVIFs, up to a width, or undefined for other URLs. */
export function sourceSet(from: string, url: string, most: PictureWidth): string | undefined {
  const id = pictureId(url);
  const widths = PICTURE_WIDTHS.filter((width) => width <= most);
  return id && widths.map((width) => `${from}${pictureUrl(id, width, 'avif')} ${width}w`).join(', ');
}

/** `/models/{id}.glb`; the id is derived from the content, as a picture's is. */
export const modelUrl = (id: string): string => `/models/${id}.glb`;

/** `/models/{id}.glb` → `{id}`, or undefined for other URLs. */
export const modelId = (url: string): string | undefined => /^\/models\/([a-f0-9]{32})\.glb$/.exec(url)?.[1];

/** The model to show for a size, and whether it is of that size: the product's own model is of its first size. Null without a model. */
export function modelOfSize(
  { model, sizes }: { model: string | null; sizes: readonly { model: string | null }[] },
  position: number,
): { url: string; isOfSize: boolean } | null {
  const own = sizes[position]?.model;
  if (own) return { url: own, isOfSize: true };
  return model === null ? null : { url: model, isOfSize: position <= 0 };
}

/** The sides from which the outline of a model is drawn. */
export const VIEWS = ['front', 'side'] as const;
export type View = (typeof VIEWS)[number];

/** `/models/{id}.glb` → `/models/{id}-front.svg` */
export const silhouetteUrl = (model: string, view: View): string => model.replace(/\.glb$/, `-${view}.svg`);

/** The URL at which the same picture is shown in another width. */
export function pictureAt(from: string, url: string, width: PictureWidth | typeof ORIGINAL_WIDTH): string {
  return shownUrl(from, url.replace(/^(\/images\/\w+)-\d+\.webp$/, `$1-${width}.webp`));
}
