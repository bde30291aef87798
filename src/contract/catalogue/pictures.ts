/** The widths in which every picture is served, in pixels; the largest is the one that a product's `images` name. */
export const PICTURE_WIDTHS = [160, 320, 480, 640, 960, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];
/** The width in whose place the picture is answered as it is kept, a WebP of at most 1600×2000 pixels: for zoom only, and nothing is made for it. */
export const WHOLE = 1600;
/** The formats in which every picture is served, best first. */
export const PICTURE_FORMATS = ['avif', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A width and format in which a picture is kept and served. */
export interface PictureVariant {
  width: PictureWidth;
  format: PictureFormat | 'jpeg';
}
/** For mails: a square JPEG, since Outlook for Windows shows neither WebP nor AVIF. No page asks for it. */
export const MAIL_VARIANT = { width: 160, format: 'jpeg' } as const satisfies PictureVariant;
const variants = (): readonly PictureVariant[] => [
  ...PICTURE_WIDTHS.flatMap((width) => PICTURE_FORMATS.map((format) => ({ width, format }))),
  MAIL_VARIANT,
];
/** Marked as pure, so that browsers, which do not use it, do not get it. */
export const PICTURE_VARIANTS = /* @__PURE__ */ variants();

/** `/images/{id}-1200.webp`, the address kept on the product; the id is made from the picture's content, so the address never changes its meaning. */
export function pictureUrl(id: string, width: PictureWidth = 1200, format: PictureVariant['format'] = 'webp'): string {
  return `/images/${id}-${width}.${format}`;
}

/**
 * A picture or model as it is shown; `from` is the address of pictures (`PICTURES_URL`), empty where the shop itself hands them out. What is signed,
 * such as a hidden review's, comes from the shop, which looks at the signature.
 */
export const shownUrl = (from: string, url: string): string => (/^\/[^?]*$/.test(url) ? from + url : url);

/** `/images/{id}-1200.webp` → `{id}`, or undefined for a picture that is not of this shop's making. */
export const pictureId = (url: string): string | undefined => /^\/images\/(\w+)-\d+\.webp$/.exec(url)?.[1];

/** `/images/{id}-1200.webp` → `srcset` for one format, up to a width, or undefined for a picture that is not of this shop's making. */
export function sourceSet(from: string, url: string, format: PictureFormat, most: PictureWidth): string | undefined {
  const id = pictureId(url);
  const widths = PICTURE_WIDTHS.filter((width) => width <= most);
  return id && widths.map((width) => `${shownUrl(from, pictureUrl(id, width, format))} ${width}w`).join(', ');
}

/** `/models/{id}.glb`: a product in 3D; the id is made from the content, as a picture's is. */
export const modelUrl = (id: string): string => `/models/${id}.glb`;

/** The same picture in another width, as it is shown. */
export function pictureAt(from: string, url: string, width: PictureWidth | typeof WHOLE): string {
  return shownUrl(from, url.replace(/^(\/images\/\w+)-\d+\.webp$/, `$1-${width}.webp`));
}
