/** Events that staff can get emails about, by the labels on the settings screen. */
export const STAFF_EVENTS = {
  order: 'New order',
  approval: 'Large order to approve',
  return: 'Return asked for',
  dispute: 'Payment disputed',
  refund: 'Refund failed',
  payment: 'Payment that does not agree',
  review: 'New review',
  stock: 'Low stock',
  job: 'Job failed',
  book: 'Morning book',
} as const;

export type StaffEvent = keyof typeof STAFF_EVENTS;

/** All events. A row for a single event overrides it. */
export const EVERYTHING = 'Everything';

export const STAFF_TIMES = ['at once', 'once a day'] as const;

/** Who gets which notices. */
export interface StaffSettings {
  /** `event` is one of the labels, or `EVERYTHING`. */
  notices: { event: string; address: string; when: (typeof STAFF_TIMES)[number] }[];
  /** The full hour of the shop's day at which the daily emails go. */
  dailyHour: number;
  /** Pieces left at which a product is low. */
  lowStock: number;
  /** For how many days the log of the back office is kept. */
  logDays: number;
}

/** The addresses to notify of an event, each once. */
export function listenersOf({ notices }: StaffSettings, event: StaffEvent): { address: string; isDaily: boolean }[] {
  const label = STAFF_EVENTS[event];
  const rows = notices.filter((row) => row.event === label || row.event === EVERYTHING);
  const byAddress = new Map<string, (typeof rows)[number]>();
  // Rows for the event itself come first.
  for (const row of rows.sort((a, b) => Number(b.event === label) - Number(a.event === label)))
    if (!byAddress.has(row.address.toLowerCase())) byAddress.set(row.address.toLowerCase(), row);
  return [...byAddress.values()].map(({ address, when }) => ({ address, isDaily: when === 'once a day' }));
}
