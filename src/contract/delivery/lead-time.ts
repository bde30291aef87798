const WEEK_MS = 7 * 86_400_000;

/** How long a piece takes until it can leave; both null for one that leaves at once. */
export interface LeadTime {
  /** Weeks in which it is made to order. */
  leadWeeks: number | null;
  /** ISO time from which it is there. */
  readyFrom: string | null;
}

/** Whether a piece may have days of its own. */
export const hasLeadTime = ({ leadWeeks, readyFrom }: LeadTime): boolean => leadWeeks !== null || readyFrom !== null;

/** The ISO time from which all of these pieces, ordered at `now` (ISO), can leave; null if that is at once. */
export function readyAt(now: string, pieces: Iterable<LeadTime>): string | null {
  const placed = Date.parse(now);
  let last = placed;
  for (const { leadWeeks, readyFrom } of pieces) {
    const begins = readyFrom === null ? placed : Math.max(placed, Date.parse(readyFrom));
    last = Math.max(last, begins + (leadWeeks ?? 0) * WEEK_MS);
  }
  return last === placed ? null : new Date(last).toISOString();
}

/** `Made to order in about 6 weeks`; undefined for a piece that is not. */
export const madeToOrderText = ({ leadWeeks }: Pick<LeadTime, 'leadWeeks'>): string | undefined =>
  leadWeeks ? `Made to order in about ${leadWeeks === 1 ? 'a week' : `${leadWeeks} weeks`}` : undefined;
