import type { Nation } from './delivery-window.ts';

/** The last day of the lists below. A test fails a year before: add the next year from https://www.gov.uk/bank-holidays. */
export const LAST_KNOWN_DAY = '2028-12-31';

const days = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Bank holidays on weekdays, with substitute days, as `YYYY-MM-DD`. Published for 2026 and 2027; for 2028 by the rules of the Banking and Financial
 * Dealings Act 1971 and of St Andrew's Day, which the test computes. Scotland's 15 June 2026 was proclaimed once, for the World Cup.
 */
export const BANK_HOLIDAYS: Readonly<Record<Nation, ReadonlySet<string>>> = {
  'england-and-wales': days(`
    2026-01-01 2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-08-31 2026-12-25 2026-12-28
    2027-01-01 2027-03-26 2027-03-29 2027-05-03 2027-05-31 2027-08-30 2027-12-27 2027-12-28
    2028-01-03 2028-04-14 2028-04-17 2028-05-01 2028-05-29 2028-08-28 2028-12-25 2028-12-26`),
  scotland: days(`
    2026-01-01 2026-01-02 2026-04-03 2026-05-04 2026-05-25 2026-06-15 2026-08-03 2026-11-30 2026-12-25 2026-12-28
    2027-01-01 2027-01-04 2027-03-26 2027-05-03 2027-05-31 2027-08-02 2027-11-30 2027-12-27 2027-12-28
    2028-01-03 2028-01-04 2028-04-14 2028-05-01 2028-05-29 2028-08-07 2028-11-30 2028-12-25 2028-12-26`),
  'northern-ireland': days(`
    2026-01-01 2026-03-17 2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-07-13 2026-08-31 2026-12-25 2026-12-28
    2027-01-01 2027-03-17 2027-03-26 2027-03-29 2027-05-03 2027-05-31 2027-07-12 2027-08-30 2027-12-27 2027-12-28
    2028-01-03 2028-03-17 2028-04-14 2028-04-17 2028-05-01 2028-05-29 2028-07-12 2028-08-28 2028-12-25 2028-12-26`),
};
