import { pounds } from '#contract/market/money.ts';
import type { Amount } from './amounts.ts';
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

/** A text without one of its parts, and without the space and the hyphen that this leaves. */
const without = (typed: string, { from, to }: { from: number; to: number }) =>
  `${typed.slice(0, from)} ${typed.slice(to)}`.replace(/\s+/g, ' ').replace(/^[\s,-]+|[\s,-]+$/g, '');

/** The amounts, colours and materials of a search, in the order in which they were typed. */
export function chipsOf(typed: string, terms: readonly Term[], amounts: readonly Amount[]): Chip[] {
  const named = terms.filter(({ kind }) => kind !== 'words');
  const parts = [
    ...amounts.map((amount) => ({ from: amount.from, to: amount.to, label: labelOf(amount) })),
    ...named.map(({ from, to, kind }) => ({
      ...{ from, to },
      label: `${kind === 'colour' ? 'Colour' : 'Material'}: ${typed.slice(from, to).toLowerCase()}`,
    })),
  ];
  const chips = parts.sort((a, b) => a.from - b.from).map(({ label, ...part }) => ({ label, search: without(typed, part) }));
  // What was typed twice is taken back twice, by one chip at a time.
  return [...new Map(chips.map((chip) => [`${chip.label}\n${chip.search}`, chip])).values()];
}
