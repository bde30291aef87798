/** What the shop says of itself until its owner has said something else. */
export const OF_THE_DEMO = /hearth|tannery|01632 960148|11:00 to 16:00|\b00000000\b|real homes/i;
