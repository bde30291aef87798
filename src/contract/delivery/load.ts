import { LOADS, type Load } from './delivery-classes.ts';
import { isCarriedByTwo, type Sides } from './two-person-delivery.ts';

/** A product in one of its sizes. */
export interface Piece extends Sides {
  deliveryClass: string;
}

const loadOfPiece = ({ deliveryClass, ...outer }: Piece): Load => {
  if (isCarriedByTwo(outer, deliveryClass)) return 'two-person';
  return deliveryClass === 'small' ? 'small' : 'parcel';
};

/** How pieces travel together: as the heaviest of them. */
export const loadOf = (pieces: readonly Piece[]): Load =>
  LOADS[Math.max(0, ...pieces.map((piece) => LOADS.indexOf(loadOfPiece(piece))))] as Load;

/** What decides how a product travels; a set travels as its parts. */
interface Travelling {
  deliveryClass: string;
  dimensions: readonly Sides[];
  parts: readonly { isByTwo: boolean }[];
}

/** How a product travels, whatever its size: as its largest. */
export function loadOfProduct({ deliveryClass, dimensions, parts }: Travelling): Load {
  if (parts.some(({ isByTwo }) => isByTwo)) return 'two-person';
  const unknown = { width: null, depth: null, height: null };
  return loadOf(
    (dimensions.length > 0 ? dimensions : [unknown]).map(({ width, depth, height }) => ({ width, depth, height, deliveryClass })),
  );
}

export const methodsTaking = <M extends { upTo?: Load }>(methods: readonly M[], load: Load): M[] =>
  methods.filter(({ upTo = 'two-person' }) => LOADS.indexOf(load) <= LOADS.indexOf(upTo));
