/** Days after delivery in which a customer can ask for a return, and days to send it back, as the law requires (refund policy). */
export const RETURN_DAYS = { ask: 14, send: 14 } as const;
