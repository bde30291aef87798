import { z } from 'zod';
import { momentOf } from '#contract/market/moments.ts';
import { MAX_PRICE } from '#contract/platform/limits.ts';
import { Id, PageNumber, paging } from '#contract/platform/lists.schema.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { MAX_SALE_PRODUCTS, ROUNDINGS } from './sale.ts';

/** A moment in the shop's time, as it is typed or as an ISO time. */
export const moment = (what: string) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? (momentOf(value) ?? value) : value),
    z.iso.datetime(`${what} must be a day and a time, such as 2026-12-04 09:00.`),
  );

/** The products of a sale. A list that is not empty restricts them; without any they are all products. */
export const SaleGoods = z.object({
  categories: z.array(requiredLine('Category', 60)).max(100),
  brands: z.array(requiredLine('Brand', 60)).max(100),
  products: z.array(Id).max(MAX_SALE_PRODUCTS, `At most ${MAX_SALE_PRODUCTS.toLocaleString('en-GB')} pieces.`),
});

/** False if there is no end, or a value that was refused. */
export const isPast = (end: string | null): boolean => Date.parse(end ?? '') <= Date.now();

/** False if one of the two is missing or was refused. */
export const beginsLate = (from: string | null, to: string | null): boolean => Date.parse(from ?? '') >= Date.parse(to ?? '');

/** Shows a rule's error beside those of the fields. Without it the rule is skipped once a field is wrong, so it must bear wrong values. */
export const besideOthers = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

const NO_END = 'Say when the sale ends.';
const ENDS_FIRST = 'The sale must end after it begins.';
const ENDED = 'The end is in the past.';

export const Rounding = z.enum(ROUNDINGS, `The rounding must be one of: ${ROUNDINGS.join(', ')}.`);

/** Null: from now on. */
const SaleFrom = z.preprocess((value: string | null) => value || null, moment('The start').nullable());

/** A sale of a selection. It replaces the sale prices that its pieces have. */
export const SaleBody = z
  .object({
    goods: SaleGoods,
    percent: z
      .int('The reduction must be a whole number of per cent.')
      .min(1, 'The reduction must be at least 1 %.')
      .max(90, 'The reduction can be at most 90 %.'),
    rounding: Rounding,
    saleFrom: SaleFrom,
    saleTo: z.preprocess((value: string | null) => value || null, z.string(NO_END).pipe(moment('The end'))),
  })
  .superRefine(({ saleFrom, saleTo }, { addIssue }) => {
    if (isPast(saleTo)) addIssue({ code: 'custom', path: ['saleTo'], message: ENDED });
    else if (beginsLate(saleFrom, saleTo)) addIssue({ code: 'custom', path: ['saleTo'], message: ENDS_FIRST });
  }, besideOthers);

/** A price that a sale would change: of a product, or of one of its sizes. Pence. */
const Reduction = z.object({ _id: z.string(), name: z.string(), size: z.string().nullable(), price: z.int(), salePrice: z.int() });

/** What a sale would do: the number of its products, and the first of the prices that it would change. */
export const SalePreview = z.object({ total: z.int(), reductions: z.array(Reduction) });

export const SalesQuery = z.object({ pageNumber: PageNumber });

/** The pieces with a sale that is on or to come, the next change first. */
export const SaleList = z.object({
  rows: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      /** The lowest usual price, and the lowest in the sale. */
      price: z.int(),
      salePrice: z.int(),
      /** The earlier price that shoppers see; null before the sale, or if it must not be shown (decision 120). */
      wasPrice: z.int().nullable(),
      saleFrom: z.string().nullable(),
      saleTo: z.string().nullable(),
      isOn: z.boolean(),
    }),
  ),
  ...paging,
});

/** How many pieces were changed. */
export const SaleDone = z.object({ changed: z.int() });

const salePrice = z
  .int('The sale price must be whole pence.')
  .min(1, 'The sale price must be at least 1 penny.')
  .max(MAX_PRICE, 'The sale price is too high.')
  .nullable();

/** The sale prices of one product, in pence; null for none. A size with neither a price nor a sale price of its own has those of the product. */
export const ProductSaleBody = z
  .object({
    salePrice,
    sizes: z.array(z.object({ size: z.string().max(60), salePrice })).max(50),
    saleFrom: SaleFrom,
    saleTo: z.preprocess((value: string | null) => value || null, moment('The end').nullable()),
  })
  .superRefine(({ salePrice: own, sizes, saleFrom, saleTo }, { addIssue }) => {
    if (own === null && sizes.every((size) => size.salePrice === null)) return;
    if (saleTo === null) addIssue({ code: 'custom', path: ['saleTo'], message: NO_END });
    else if (isPast(saleTo)) addIssue({ code: 'custom', path: ['saleTo'], message: ENDED });
    else if (beginsLate(saleFrom, saleTo)) addIssue({ code: 'custom', path: ['saleTo'], message: ENDS_FIRST });
  });

/** The prices of a product as the back office sees them. Pence. */
export const ProductSale = z.object({
  /** What was typed, whether or not a sale is on; 0 for a size that has the product's price. */
  regularPrice: z.int(),
  salePrice: z.int().nullable(),
  sizes: z.array(z.object({ size: z.string(), regularPrice: z.int(), salePrice: z.int().nullable() })),
  saleFrom: z.string().nullable(),
  saleTo: z.string().nullable(),
  isOn: z.boolean(),
  /** The last prices that could be paid, the newest first; `size` is empty for a product without sizes. */
  log: z.array(z.object({ size: z.string(), price: z.int(), at: z.string() })),
});
