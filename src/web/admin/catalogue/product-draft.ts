import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { NEW_PRODUCT, type ProductFields } from './product-fields.ts';

/** Includes the version: a stale draft would undo newer changes. */
const formOf = (product: OfficeProduct | undefined) => (product ? `${product._id} ${product.version}` : 'new');

/** Keeps what was typed when the session ends, for the account's next login in this tab. Pictures cannot be kept. */
export function keepTyped(owner: string, product: OfficeProduct | undefined, fields: ProductFields): void {
  writeDraft('productDraft', owner, { form: formOf(product), fields: JSON.stringify(fields) });
}

/** Undefined if nothing was kept. */
export function readTyped(owner: string, product: OfficeProduct | undefined): ProductFields | undefined {
  const { form, fields = '' } = readDraft('productDraft', owner);
  if (form !== formOf(product)) return undefined;
  try {
    return { ...NEW_PRODUCT, ...(JSON.parse(fields) as Partial<ProductFields>) };
  } catch {
    return undefined;
  }
}
