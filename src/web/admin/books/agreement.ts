import { type BookDay, type Books, type TickKind, tickSum } from '#contract/books/books.ts';

/** Whether a sum has changed since it was ticked. */
export const isStale = (book: BookDay, kind: TickKind): boolean => {
  const tick = book.ticks[kind];
  return tick !== null && tick.amount !== tickSum(book, kind);
};

/** Whether the books agree, in words; empty if faults say what does not. */
export function agreementText({ faults, days }: Pick<Books, 'faults' | 'days'>): string {
  if (faults.length > 0) return '';
  const stale = days.flatMap((book) => (['payouts', 'cash'] as const).filter((kind) => isStale(book, kind))).length;
  if (stale === 0) return 'Everything agrees.';
  return `The payments agree, but ${stale === 1 ? 'a ticked sum has' : `${stale} ticked sums have`} changed since.`;
}
