/** Days after delivery in which a customer can ask for a return, and days to send it back, as the law requires (refund policy). */
export const RETURN_DAYS = { ask: 14, send: 14 } as const;

/** Who takes a piece back and who pays for it, where nothing is wrong with it. `isCollected`: two people carry it, or the shop collects everything. */
export const howItComesBack = (isCollected: boolean): string =>
  isCollected ? 'we collect it, free of charge' : `you post it back within ${RETURN_DAYS.send} days, at your own cost`;
