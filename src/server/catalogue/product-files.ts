import { type Colour, MAX_PICTURES, type Product, type Size } from '#contract/catalogue/catalogue.ts';
import { modelId } from '#contract/catalogue/pictures.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Admin } from '#server/context/context.ts';
import type { Pictures } from '#server/gateways/pictures.ts';
import { type Measured, refuseOtherSize } from './model-size.ts';

/** Stores new pictures and returns the URL of each part, in order. A URL to keep must be one of `before`. */
export async function storePictures(pictures: Pictures, parts: (File | string)[], before: string[]): Promise<string[]> {
  if (parts.length > MAX_PICTURES)
    throw new Problem(400, `A product can have at most ${MAX_PICTURES} pictures.`, { images: `At most ${MAX_PICTURES} pictures.` });
  if (parts.some((part) => typeof part === 'string' && !before.includes(part)))
    throw new Problem(400, 'One of the pictures to keep does not belong to this product.', { images: 'Unknown picture.' });
  const urls: string[] = [];
  for (const part of parts)
    urls.push(typeof part === 'string' ? part : await pictures.add(Buffer.from(await part.arrayBuffer()), part.name || 'The picture'));
  return urls;
}

interface Choices {
  sizes: readonly Pick<Size, 'size'>[];
  colors: readonly Pick<Colour, 'hexCode'>[];
}

/** What each picture shows, by URL, from the descriptions in the form. Throws 400 for a size or colour that the product does not have. */
export function shownBy(urls: readonly string[], descriptions: readonly Shown[], { sizes, colors }: Choices): Record<string, Shown> {
  const refuse = (what: string) => {
    throw new Problem(400, what, { pictures: what });
  };
  if (descriptions.length > urls.length) refuse('There are more picture descriptions than pictures.');
  for (const { size, color } of descriptions) {
    if (size && !sizes.some((choice) => choice.size === size)) refuse(`A picture shows the size ${size}, which is not offered.`);
    if (color && !colors.some(({ hexCode }) => hexCode === color)) refuse(`A picture shows the colour ${color}, which is not offered.`);
  }
  return Object.fromEntries(urls.map((url, place) => [url, descriptions[place] ?? {}]));
}

/**
 * The URL of a product's model from its form: of a new file, which is checked and stored; null to remove it; undefined to leave it unchanged. A
 * URL to keep must equal `before`. With `measured`, a new model must have these measurements. Throws 400, 413 or 415.
 */
export async function storeModel(
  { models }: Pictures,
  part: File | string | undefined,
  before: Product['model'],
  measured: Measured | undefined,
): Promise<string | null | undefined> {
  if (part === undefined || part === before) return undefined;
  if (part === '') return null;
  if (typeof part !== 'string') {
    const bytes = Buffer.from(await part.arrayBuffer());
    const url = await models.add(bytes, part.name || 'The 3D model');
    // The product's own model shows its first size.
    if (measured) refuseOtherSize(bytes, measured, { sizeIndex: 0, field: 'model' });
    return url;
  }
  throw new Problem(400, 'The 3D model to keep does not belong to this product.', { model: 'Unknown 3D model.' });
}

/** Checks and stores the model of a size, to be named when its product is saved. Throws 400, 413 or 415. */
export async function addModel({ models }: Pictures, _: Admin, file: File): Promise<{ model: string }> {
  return { model: await models.add(Buffer.from(await file.arrayBuffer()), file.name || 'The 3D model') };
}

interface WithModels extends Omit<Measured, 'sizes'> {
  sizes: readonly (Measured['sizes'][number] &
    Pick<Size, 'size'> & { model?: string | null | undefined; anyModelSize?: boolean | undefined })[];
}

/** Throws 400 for a size's model that is not stored, or that is new and has another size. */
export async function checkSizeModels({ models }: Pictures, { sizes, measurements }: WithModels, before: Product['sizes']): Promise<void> {
  for (const [sizeIndex, { size, model, anyModelSize }] of sizes.entries()) {
    if (!model || before.some((kept) => kept.size === size && kept.model === model)) continue;
    const field = `sizes.${sizeIndex}.model`;
    const id = modelId(model);
    const bytes = id && (await models.read(id));
    if (!bytes)
      throw new Problem(400, `The 3D model of ${size} is no longer there. Please choose it again.`, {
        [field]: 'Please choose it again.',
      });
    if (!anyModelSize) refuseOtherSize(bytes, { sizes, measurements }, { sizeIndex, field });
  }
}
