/** How a product is brought. `by size`: its measurements decide whether two people are needed. */
export const DELIVERY_CLASSES = ['by size', 'small', 'parcel', 'two-person'] as const;
export type DeliveryClass = (typeof DELIVERY_CLASSES)[number];
