import { z } from 'zod';
import { beginsLate, besideOthers, isPast, moment, SaleGoods } from '#contract/catalogue/sale.schema.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_ORDER_TOTAL, MAX_QUANTITY } from '#contract/platform/limits.ts';
import { Change, PageNumber, paging } from '#contract/platform/lists.schema.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { tidyCode } from './discount.ts';
import { KINDS, type Kind, PROMOTION_STATES } from './promotions.ts';

const MOST_USES = 100_000;
const CODE_MESSAGE = 'A code has 3 to 30 letters, digits and hyphens, such as WELCOME-10.';

const usesLimit = (what: string) =>
  z
    .int(`${what} must be a whole number.`)
    .min(1, `${what} must be at least 1.`)
    .max(MOST_USES, `${what} can be at most ${MOST_USES.toLocaleString('en-GB')}.`)
    .nullable();

const optionalMoment = (what: string) => z.preprocess((value: string | null) => value || null, moment(what).nullable());

/** A promotion as the back office sets it. */
export const PromotionBody = z
  .object({
    /** The name that customers see. */
    name: requiredLine('Name', 60),
    /** Null for an automatic promotion. */
    code: z
      .string(CODE_MESSAGE)
      .nullable()
      .transform((typed) => tidyCode(typed ?? '') || null)
      .refine((code) => code === null || /^[A-Z0-9-]{3,30}$/.test(code), CODE_MESSAGE),
    kind: z.enum(Object.keys(KINDS) as [Kind, ...Kind[]], 'Choose what the promotion does.'),
    /** Percentage, pence or pieces; at least 1, except for free delivery, where it is 0. */
    value: z
      .int('The reduction must be a number.')
      .min(0, 'The reduction must be at least 1.')
      .max(MAX_ORDER_TOTAL, 'The reduction is too large.'),
    goods: SaleGoods,
    leastSubtotal: z
      .int('The minimum spend must be a number of pence.')
      .min(0, 'The minimum spend cannot be below 0.')
      .max(MAX_ORDER_TOTAL, `The minimum spend can be at most ${pounds(MAX_ORDER_TOTAL)}.`),
    /** Null: from now on. */
    startsAt: optionalMoment('The start'),
    /** Null: until it is switched off. */
    endsAt: optionalMoment('The end'),
    mostUses: usesLimit('Total uses'),
    mostUsesEach: usesLimit('Uses per customer'),
    isFirstOrder: z.boolean('isFirstOrder must be true or false'),
    isOn: z.boolean('isOn must be true or false'),
  })
  .superRefine(({ kind, value, startsAt, endsAt, isOn }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (kind !== 'free_delivery' && value < 1) refuse('value', 'The reduction must be at least 1.');
    if (kind === 'first_free' && value > MAX_QUANTITY) refuse('value', `At most ${MAX_QUANTITY} pieces can be free.`);
    if (kind === 'percent' && value > 100) refuse('value', 'The reduction can be at most 100%.');
    if (beginsLate(startsAt, endsAt)) refuse('endsAt', 'The promotion must end after it begins.');
    // One that has ended can be renamed once it is switched off.
    else if (isOn && isPast(endsAt)) refuse('endsAt', 'The end is in the past.');
  }, besideOthers)
  .transform((body) => (body.kind === 'free_delivery' ? { ...body, value: 0 } : body));

export const Promotion = z.object({
  _id: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  kind: z.enum(Object.keys(KINDS) as [Kind, ...Kind[]]),
  value: z.int(),
  goods: z.object({ categories: z.array(z.string()), brands: z.array(z.string()), products: z.array(z.string()) }),
  leastSubtotal: z.int(),
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  mostUses: z.int().nullable(),
  mostUsesEach: z.int().nullable(),
  isFirstOrder: z.boolean(),
  isOn: z.boolean(),
  state: z.enum(Object.keys(PROMOTION_STATES) as [keyof typeof PROMOTION_STATES, ...(keyof typeof PROMOTION_STATES)[]]),
  /** Uses by orders that are neither cancelled nor expired. */
  uses: z.int(),
  /** Never used by any order: it can be deleted. */
  isUnused: z.boolean(),
  /** Total discount on goods in those orders, in pence. */
  given: z.int(),
});

export const PromotionsQuery = z.object({ pageNumber: PageNumber });
/** Newest first. */
export const PromotionList = z.object({ promotions: z.array(Promotion), ...paging });
export const PromotionChanges = z.object({ changes: z.array(Change) });
export const PromotionSwitch = z.object({ isOn: z.boolean('isOn must be true or false') });
