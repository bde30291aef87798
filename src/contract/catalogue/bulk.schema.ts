import { z } from 'zod';
import { Id } from '#contract/platform/lists.schema.ts';
import { allNamesIn, MOST_NAMES, namesIn, textOf } from '#contract/platform/lists.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { FILTER_NAMES, FILTERS, type FilterQuery, namesOf } from './filters.ts';
import { poundsOf, ratingOf } from './list-parameters.ts';
import { PRODUCT_STATES } from './product-fields.ts';
import { Rounding } from './sale.schema.ts';
import { MAX_SALE_PRODUCTS } from './sale.ts';

const percent = z
  .int('The change must be a whole number of per cent, such as 5 or -10.')
  .min(-90, 'A price can fall by at most 90 %.')
  .max(500, 'A price can rise by at most 500 %.')
  .refine((value) => value !== 0, 'Enter a percentage: 5 raises prices, -10 lowers them.');

/** The edit that is made to each product of a selection. */
export const BulkEdit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('price'),
    percent,
    rounding: Rounding,
  }),
  z.object({ kind: z.literal('category'), category: requiredLine('Category', 60) }),
  z.object({ kind: z.literal('isNewArrival'), isOn: z.boolean() }),
  z.object({ kind: z.literal('isRecommend'), isOn: z.boolean() }),
  z.object({ kind: z.literal('state'), state: z.enum(['live', 'hidden'], 'A product is shown (live) or hidden.') }),
  z.object({ kind: z.literal('delete') }),
]);

/** With a digit: spaces alone would be read as 0. */
const NUMBER_CHECK = [
  (text: string) => /\d/.test(text) && poundsOf(text) !== undefined,
  'Write this filter as a number, such as 100.',
] as const;
/** The check of a filter's text by its kind, and the message if it fails. */
const FILTER_CHECKS = {
  values: [(text: string) => namesIn([text]).length > 0, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
  flag: [(text: string) => text === 'true' || text === 'false', 'Write this filter as true or false.'],
  least: [(text: string) => ratingOf(text) !== undefined, 'Write this filter as a number above 0, and at most 5.'],
  price: NUMBER_CHECK,
  length: NUMBER_CHECK,
  most: NUMBER_CHECK,
} as const;

function filterSchema([isValid, message]: (typeof FILTER_CHECKS)[keyof typeof FILTER_CHECKS]) {
  const value = z.union([z.string().max(1_000, 'This filter is too long.'), z.number(), z.boolean()], message).transform(String);
  return value
    .refine((text) => text === '' || isValid(text), message)
    .refine(
      (text) => allNamesIn([text]).length <= MOST_NAMES,
      `This filter has more than ${MOST_NAMES} names. Change the products in several steps.`,
    )
    .optional();
}

/** The list's filters, read strictly: a mistyped one is refused, since without it the change would be for all products. An empty text is no filter. */
const BulkFilters = z.strictObject({
  search: z
    .string('Write the search as text.')
    .max(200, 'The search is too long.')
    .refine((text) => text === '' || textOf(text) !== undefined, 'Write the search as text.')
    .optional(),
  ...(Object.fromEntries(
    FILTER_NAMES.flatMap((name) => namesOf(name).map(({ query }) => [query, filterSchema(FILTER_CHECKS[FILTERS[name].kind])])),
  ) as Record<FilterQuery, ReturnType<typeof filterSchema>>),
  stockQuery: z.enum(['', 'low', 'out'], 'The stock is low or out, or left empty.').default(''),
  stateQuery: z.enum(['', ...PRODUCT_STATES, 'deleted'], `The state is one of ${PRODUCT_STATES.join(', ')}, or left empty.`).default(''),
});

/** A bulk edit. Without `expected` it is only checked; with the number of changes that the check reported, it is carried out. */
export const BulkBody = z.object({
  /** The products of the list; used only if `products` is empty. */
  filters: BulkFilters,
  products: z.array(Id).max(MAX_SALE_PRODUCTS, `At most ${MAX_SALE_PRODUCTS.toLocaleString('en-GB')} products at a time.`),
  edit: BulkEdit,
  expected: z.int('The number of products must be a whole number.').min(1, 'Nothing would change.').nullish(),
});

/** A bulk edit that was carried out and can be undone. */
export const Bulk = z.object({
  _id: z.string(),
  actor: z.string(),
  /** In words, such as “Price 5 % up”. */
  change: z.string(),
  products: z.int(),
  undoUntil: z.string(),
});
export const BulkList = z.object({ edits: z.array(Bulk) });

/** The number of products in the selection, the number that change, and the first changes in words. */
export const BulkReport = z.object({
  total: z.int(),
  changed: z.int(),
  examples: z.array(z.object({ _id: z.string(), name: z.string(), change: z.string() })),
});
