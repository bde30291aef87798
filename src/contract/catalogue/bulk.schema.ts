import { z } from 'zod';
import { Id } from '#contract/platform/lists.schema.ts';
import { namesIn } from '#contract/platform/lists.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { FILTER_NAMES, FILTERS, type FilterQuery, namesOf } from './filters.ts';
import { poundsOf, ratingOf } from './list-parameters.ts';
import { STATES } from './product-fields.ts';
import { MAX_SALE_PRODUCTS, ROUNDINGS } from './sale.ts';

const percent = z
  .int('The change must be a whole number of per cent, such as 5 or -10.')
  .min(-90, 'A price can fall by at most 90 %.')
  .max(500, 'A price can rise by at most 500 %.')
  .refine((value) => value !== 0, 'Enter a percentage: 5 raises prices, -10 lowers them.');

/** What happens to each product of a selection. */
export const BulkEdit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('price'),
    percent,
    rounding: z.enum(ROUNDINGS, `The rounding must be one of: ${ROUNDINGS.join(', ')}.`),
  }),
  z.object({ kind: z.literal('category'), category: requiredLine('Category', 60) }),
  z.object({ kind: z.literal('isNewArrival'), isOn: z.boolean() }),
  z.object({ kind: z.literal('isRecommend'), isOn: z.boolean() }),
  z.object({ kind: z.literal('state'), state: z.enum(['live', 'hidden'], 'A product is shown (live) or hidden.') }),
  z.object({ kind: z.literal('delete') }),
]);

const ofNumber = [
  (text: string) => /\d/.test(text) && poundsOf(text) !== undefined,
  'Write this filter as a number, such as 100.',
] as const;
/** What a filter of each kind can be, and the words for anything else. */
const READABLE = {
  values: [(text: string) => namesIn([text]).length > 0, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
  flag: [(text: string) => text === 'true' || text === 'false', 'Write this filter as true or false.'],
  least: [(text: string) => ratingOf(text) !== undefined, 'Write this filter as a number above 0, and at most 5.'],
  price: ofNumber,
  length: ofNumber,
  most: ofNumber,
} as const;

function filterFor([isRight, wrong]: (typeof READABLE)[keyof typeof READABLE]) {
  const value = z.union([z.string().max(1_000, wrong), z.number(), z.boolean()], wrong).transform(String);
  return value.refine((text) => text === '' || isRight(text), wrong).optional();
}

/** The list sends what stands in its address. */
const oneOfThese = <const Names extends readonly string[]>(names: Names, wrong: string) =>
  z.string(wrong).default('').pipe(z.enum(names, wrong));

/** The filters of the list for a change, which must not mean all products where one is mistyped; an empty text is no filter. */
const ChangeFilters = z.strictObject({
  search: z.string('Write the search as text.').max(200, 'The search is too long.').optional(),
  ...(Object.fromEntries(
    FILTER_NAMES.flatMap((name) => namesOf(name).map(({ query }) => [query, filterFor(READABLE[FILTERS[name].kind])])),
  ) as Record<FilterQuery, ReturnType<typeof filterFor>>),
  stockQuery: oneOfThese(['', 'low', 'out'], 'The stock is low or out, or left empty.'),
  stateQuery: oneOfThese(['', ...STATES, 'deleted'], `The state is one of ${STATES.join(', ')}, or left empty.`),
});

/** A change of many products. It is carried out with `expected`, the number of changes that a check has reported. */
export const BulkBody = z.object({
  /** The products of the list; used only if `products` is empty. */
  filters: ChangeFilters,
  products: z.array(Id).max(MAX_SALE_PRODUCTS, `At most ${MAX_SALE_PRODUCTS.toLocaleString('en-GB')} products at a time.`),
  edit: BulkEdit,
  expected: z.int('The number of products must be a whole number.').min(1, 'Nothing would change.').nullish(),
});

/** A change of a selection that can be undone. */
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
