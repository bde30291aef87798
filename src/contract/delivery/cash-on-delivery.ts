import type { Pence } from '#contract/market/money.ts';

interface Line {
  price: Pence;
  qty: number;
  cancelledQty: number;
}
interface Load {
  line: number;
  qty: number;
}

const priceOf = (lines: readonly Line[], load: readonly Load[]): Pence =>
  load.reduce((sum, { line, qty }) => sum + (lines[line]?.price ?? 0) * qty, 0);

/**
 * What is collected for the first pieces of an unpaid order that leave: their price, and of delivery the share that they have in the price of all.
 * A later parcel collects the difference to what went before, so that the parcels of an order add up to the amount due to the penny, and what
 * follows changes nothing about an earlier parcel.
 */
export function collectedFor(due: Pence, lines: readonly Line[], load: readonly Load[]): Pence {
  const whole = lines.reduce((sum, { price, qty, cancelledQty }) => sum + price * (qty - cancelledQty), 0);
  const part = Math.min(priceOf(lines, load), whole);
  return whole === 0 ? due : part + Math.round(((due - whole) * part) / whole);
}

/** What each of several loads collects that leave one after the other. */
export function sharesOf(due: Pence, lines: readonly Line[], loads: readonly (readonly Load[])[]): Pence[] {
  const upTo = loads.map((_, index) => collectedFor(due, lines, loads.slice(0, index + 1).flat()));
  return upTo.map((sum, index) => sum - (upTo[index - 1] ?? 0));
}
