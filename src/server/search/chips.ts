import { pounds } from '#contract/market/money.ts';
import type { Amount } from './amounts.ts';
import type { Place } from './attempts.ts';
import type { Term } from './understand.ts';

/** What a search asks for beside words, as a person may take it back: in words, and the search without it. */
export interface Chip {
  label: string;
  search: string;
}

/** 4990 → `£49.90`, 50000 → `£500` */
const price = (pence: number) => pounds(pence).replace(/\.00$/, '');
/** 2000 → `200 cm`, 1755 → `175.5 cm` */
const length = (millimetres: number) => `${Number((millimetres / 10).toFixed(1))} cm`;
const SIDES = { width: ' wide', depth: ' deep', height: ' high', 'any side': ' wide or high', price: '' } as const;

function labelOf({ of, min, max }: Amount): string {
  const text = of === 'price' ? price : length;
  const side = SIDES[of];
  if (min === undefined) return `Up to ${text(max ?? 0)}${side}`;
  return max === undefined ? `From ${text(min)}${side}` : `${text(min)} to ${text(max)}${side}`;
}

/** A text without some of its parts, and without the spaces and the hyphens that this leaves; from the last part on, so that none moves. */
const without = (typed: string, parts: readonly Place[]) =>
  [...parts]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, typed)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,-]+|[\s,-]+$/g, '');

/** The amounts, colours and materials of a search, in the order in which they were typed, and the search without any of them. */
export function chipsOf(typed: string, terms: readonly Term[], amounts: readonly Amount[]): { chips: Chip[]; plain: string } {
  const named = terms.filter(({ kind }) => kind === 'colour' || kind === 'material');
  const parts = [
    ...amounts.map((amount) => ({ from: amount.from, to: amount.to, label: labelOf(amount) })),
    ...named.map(({ from, to, kind, text }) => ({
      from,
      to,
      label: `${kind === 'colour' ? 'Colour' : 'Material'}: ${text}`,
    })),
  ];
  const chips = parts.sort((a, b) => a.from - b.from).map(({ label, ...part }) => ({ label, search: without(typed, [part]) }));
  // What was typed twice is taken back twice, by one chip at a time.
  return { chips: [...new Map(chips.map((chip) => [`${chip.label}\n${chip.search}`, chip])).values()], plain: without(typed, parts) };
}
