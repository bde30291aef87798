/** A method's name within a sentence: `express delivery`, but `DPD Next Day`. */
export const inSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/** `, by express delivery`; empty for older orders, which have no method. */
export const byMethod = ({ shippingLabel }: { shippingLabel: string }): string =>
  shippingLabel ? `, by ${inSentence(shippingLabel)}` : '';
