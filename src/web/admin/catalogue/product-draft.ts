import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { NEW_PRODUCT, type ProductFields } from './product-fields.ts';

/** Names the form that a draft belongs to, with the product's version: a draft of an older version would undo newer changes. */
const draftKeyOf = (product: OfficeProduct | undefined) => (product ? `${product._id} ${product.version}` : 'new');

/** Stores the typed values when the session ends, for the account's next login in this tab. Pictures cannot be stored. */
export function keepTyped(owner: string, product: OfficeProduct | undefined, fields: ProductFields): void {
  writeDraft('productDraft', owner, { form: draftKeyOf(product), fields: JSON.stringify(fields) });
}

/** The stored values; undefined if there are none for this version of the product. */
export function readTyped(owner: string, product: OfficeProduct | undefined): ProductFields | undefined {
  const { form, fields = '' } = readDraft('productDraft', owner);
  if (form !== draftKeyOf(product)) return undefined;
  try {
    return { ...NEW_PRODUCT, ...(JSON.parse(fields) as Partial<ProductFields>) };
  } catch {
    return undefined;
  }
}
