import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Amount } from './amounts.ts';
import type { Phrase } from './vocabulary.ts';

/** What a product must have: one of some phrases. The first is what was typed, the others are what the vocabulary adds. */
export interface Wanted {
  any: readonly Phrase[];
  /** Whether it says what a product is called, not only what is told about it. */
  isLabel: boolean;
  /** Whether descriptions count for what was typed: not for a kind of furniture, since a lamp that stands beside a sofa is none. */
  isTold: boolean;
  /** Where its last word may be only begun: among labels, or where none begins so, anywhere; null where it is the whole word. */
  begun: 'label' | 'text' | null;
}

type Query = RawBuilder<unknown>;
/** The weights of labels: name, category and room, what is derived and brand. */
const LABELS = 'ABC';

/** A word in any ending; words are letters and digits, so they are no operators. */
const inAnyEnding = (word: string, weights: string): Query =>
  sql`(to_tsquery('english', ${`${word}:${weights}`}) || to_tsquery('simple', ${`${word}:${weights}`}))`;

function phraseQuery(phrase: Phrase, weights: string, begun: Wanted['begun']): Query {
  const begunWeights = begun === 'text' ? `${LABELS}D` : LABELS;
  const words = phrase.map((word, index) => {
    const whole = inAnyEnding(word, weights);
    return begun && index === phrase.length - 1 ? sql`(${whole} || to_tsquery('simple', ${`${word}:*${begunWeights}`}))` : whole;
  });
  return sql`(${sql.join(words, sql` && `)})`;
}

function wantedQuery({ any, isTold, begun }: Wanted, weights?: string): Query {
  const phrases = any.map((phrase, index) => phraseQuery(phrase, weights ?? (isTold && index === 0 ? `${LABELS}D` : LABELS), begun));
  return sql`(${sql.join(phrases, sql` || `)})`;
}

/** Every way to keep `count` of some things, in their order. */
function choices<T>(things: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return things.flatMap((thing, index) => choices(things.slice(index + 1), count - 1).map((rest) => [thing, ...rest]));
}

/** The products that have at least `count` of what is wanted. */
export function matching(wanted: readonly Wanted[], count: number): RawBuilder<SqlBool> {
  const ways = choices(wanted, count).map(
    (kept) =>
      sql`(${sql.join(
        kept.map((one) => wantedQuery(one)),
        sql` && `,
      )})`,
  );
  return sql<SqlBool>`search @@ (${sql.join(ways, sql` || `)})`;
}

/**
 * How well a product matches: for each thing wanted, more where its name has it than its category, its colour or material, or its description. What
 * matches alike is told apart by stock, then by rating.
 */
export function rankOf(wanted: readonly Wanted[]): RawBuilder<unknown> {
  const levels = wanted.map((one) => {
    const at = (weights: string) => sql`search @@ ${wantedQuery(one, weights)}`;
    return sql`case when ${at('A')} then 8 when ${at('B')} then 6 when ${at('C')} then 5 when ${at('D')} then 3 else 0 end`;
  });
  return sql`((${sql.join(levels, sql` + `)}) * 20 + case when in_stock then 10 else 0 end + rating)`;
}

const within = (column: RawBuilder<unknown>, { min, max }: Amount) =>
  sql`${min === undefined ? sql`true` : sql`${column} >= ${min}`} and ${max === undefined ? sql`${column} is not null` : sql`${column} <= ${max}`}`;

/** The products of which one size at least is within all of some amounts. */
export function amountsMatch(amounts: readonly Amount[]): RawBuilder<SqlBool> | undefined {
  const conditions = amounts.map((amount) => {
    if (amount.of === 'price')
      return sql`(${within(sql`price`, amount)} or exists (
        select from product_sizes s where s.product_id = products.id and s.price > 0 and ${within(sql`s.price`, amount)}))`;
    const sides = amount.of === 'any side' ? (['width', 'height'] as const) : [amount.of];
    const any = sides.map((side) => sql`(${within(sql.ref(`d.${side}`), amount)})`);
    return sql`exists (select from product_dimensions d where d.product_id = products.id and (${sql.join(any, sql` or `)}))`;
  });
  return conditions.length === 0 ? undefined : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
