import type { Pence } from '#contract/market/money.ts';
import { worthOf } from '#contract/market/worth.ts';

interface Line {
  price: Pence;
  qty: number;
  /** Discount on the whole line, in pence. */
  discount: Pence;
  cancelledQty: number;
}
interface Load {
  line: number;
  qty: number;
}

const priceOf = (lines: readonly Line[], load: readonly Load[]): Pence =>
  lines.reduce((sum, line, index) => {
    const pieces = load.reduce((all, part) => (part.line === index ? all + part.qty : all), 0);
    return sum + worthOf(line, pieces);
  }, 0);

/**
 * The cash to collect, in pence, for the first pieces of an order: their price, and their share of the delivery charge. A later parcel collects the
 * difference to the earlier ones, so that all parcels add up to the amount due and none changes afterwards.
 */
export function collectedFor(due: Pence, lines: readonly Line[], load: readonly Load[]): Pence {
  const whole = lines.reduce((sum, line) => sum + worthOf(line, line.qty - line.cancelledQty), 0);
  const part = Math.min(priceOf(lines, load), whole);
  return whole === 0 ? due : part + Math.round(((due - whole) * part) / whole);
}

/** The cash to collect with each of several consecutive parcels. */
export function sharesOf(due: Pence, lines: readonly Line[], loads: readonly (readonly Load[])[]): Pence[] {
  const upTo = loads.map((_, index) => collectedFor(due, lines, loads.slice(0, index + 1).flat()));
  return upTo.map((sum, index) => sum - (upTo[index - 1] ?? 0));
}
