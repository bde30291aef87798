const WEEK_MS = 7 * 86_400_000;

/** When a product can be dispatched; both null for one from stock. */
export interface LeadTime {
  /** Weeks to make it to order. */
  leadWeeks: number | null;
  /** ISO time of its arrival in the warehouse. */
  readyFrom: string | null;
}

/** When a product that is sold before it is in the warehouse arrives there (ISO); null if it is there at `now`, in milliseconds since 1970. */
export const arrivalOf = ({ readyFrom }: Pick<LeadTime, 'readyFrom'>, now: number): string | null =>
  readyFrom !== null && Date.parse(readyFrom) > now ? readyFrom : null;

/** When an order placed at `now` (ISO) can be dispatched: once its slowest product is ready. Null if all are ready now. */
export function readyAt(now: string, pieces: Iterable<LeadTime>): string | null {
  const placed = Date.parse(now);
  let last = placed;
  for (const { leadWeeks, readyFrom } of pieces) {
    const begins = readyFrom === null ? placed : Math.max(placed, Date.parse(readyFrom));
    last = Math.max(last, begins + (leadWeeks ?? 0) * WEEK_MS);
  }
  return last === placed ? null : new Date(last).toISOString();
}

/** Whether a product ordered at `now` (ISO) is not dispatched from stock. */
export const hasLeadTime = (product: LeadTime, now = new Date().toISOString()): boolean => readyAt(now, [product]) !== null;

/** `Made to order in about 6 weeks`; undefined for other products. */
export const madeToOrderText = ({ leadWeeks }: Pick<LeadTime, 'leadWeeks'>): string | undefined =>
  leadWeeks ? `Made to order in about ${leadWeeks === 1 ? 'a week' : `${leadWeeks} weeks`}` : undefined;
