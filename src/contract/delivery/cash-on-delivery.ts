import type { Pence } from '#contract/market/money.ts';
import { worthOf } from '#contract/market/worth.ts';

interface Line {
  price: Pence;
  qty: number;
  /** Discount on the whole line, in pence. */
  discount: Pence;
  cancelledQty: number;
  /** Pieces that came back. */
  back: number;
}
/** Pieces of a line (an index) in a parcel. */
interface Pieces {
  line: number;
  qty: number;
}
interface Parcel {
  pieces: readonly Pieces[];
  /** Its share, fixed when it left; null if none is stored. */
  amountDue: Pence | null;
}

/** Of a line with pieces that came back, those were in its first parcels. */
const priceOf = (lines: readonly Line[], pieces: readonly Pieces[]): Pence =>
  lines.reduce((sum, line, index) => {
    const qty = pieces.reduce((all, part) => (part.line === index ? all + part.qty : all), 0);
    return sum + worthOf(line, Math.max(0, qty - line.back));
  }, 0);

/** The cash to collect, in pence, for all pieces sent so far: their price, and their share of the delivery charge. */
function cashUpTo(due: Pence, lines: readonly Line[], pieces: readonly Pieces[]): Pence {
  const total = lines.reduce((sum, line) => sum + worthOf(line, line.qty - line.cancelledQty - line.back), 0);
  const sent = Math.min(priceOf(lines, pieces), total);
  return total === 0 ? due : sent + Math.round(((due - total) * sent) / total);
}

/**
 * The cash to collect with each parcel, in order of dispatch. Each collects the sum up to it less the shares before it, so that all parcels add up to the
 * amount due, also if the order has changed since the first of them left. A parcel collects nothing where those before it collect too much.
 */
export function cashOfParcels(due: Pence, lines: readonly Line[], parcels: readonly Parcel[]): Pence[] {
  let collected = 0;
  return parcels.map(({ amountDue }, index) => {
    const upTo = cashUpTo(
      due,
      lines,
      parcels.slice(0, index + 1).flatMap(({ pieces }) => pieces),
    );
    const share = amountDue ?? Math.max(0, upTo - collected);
    collected += share;
    return share;
  });
}
