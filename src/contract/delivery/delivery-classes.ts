/** How pieces travel, the lightest first: as a letter or small packet, as a parcel, or brought by two people. */
export const LOADS = ['small', 'parcel', 'two-person'] as const;
export type Load = (typeof LOADS)[number];

/** How a product is brought. `by size`: its measurements decide whether two people are needed. */
export const DELIVERY_CLASSES = ['by size', ...LOADS] as const;
export type DeliveryClass = (typeof DELIVERY_CLASSES)[number];
