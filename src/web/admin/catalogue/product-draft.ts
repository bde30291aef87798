import type { Product } from '#contract/catalogue/catalogue.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { NEW_PRODUCT, type ProductFields } from './product-fields.ts';

/** A draft of an older version is not taken up: saving it would undo what somebody else changed since. */
const formOf = (product: Product | undefined) => (product ? `${product._id} ${product.version}` : 'new');

/** Keeps what was typed when the session ends, for the next login of the same account in this tab. Pictures cannot be kept. */
export function keepTyped(owner: string, product: Product | undefined, fields: ProductFields): void {
  writeDraft('productDraft', owner, { form: formOf(product), fields: JSON.stringify(fields) });
}

/** What the account had typed into this form when its session ended; undefined when there is nothing. */
export function readTyped(owner: string, product: Product | undefined): ProductFields | undefined {
  const { form, fields = '' } = readDraft('productDraft', owner);
  if (form !== formOf(product)) return undefined;
  try {
    return { ...NEW_PRODUCT, ...(JSON.parse(fields) as Partial<ProductFields>) };
  } catch {
    return undefined;
  }
}
