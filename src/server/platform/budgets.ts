/** How long the shop waits for what it calls, in ms. docs/operations.md, “How long the shop waits”, has the same table; a test compares them. */
export const BUDGETS = {
  /** A connection of the pool; beyond it the answer is 503. */
  databaseConnection: 5_000,
  /** The next answer of a database that is asked each second; beyond it the database is away, and pages that a change has dropped are sent. */
  databaseSilence: 1_000,
  /** An order's turn, and a cart's; beyond it the answer is 503. For an order the browser asks again by itself. */
  orderTurn: 4_000,
  /** One statement, and one transaction that does nothing. deploy/pgbouncer.ini has the same for pooled connections. */
  databaseStatement: 15_000,
  /** One attempt at the payment provider; a failed one is made once more. */
  provider: 5_000,
  /** After three calls without an answer none is made for this long. */
  providerRest: 15_000,
  /** Connecting to the mail server, and its greeting. */
  mailConnection: 10_000,
  /** The mail server's silence after that. The mail stays in the queue. */
  mailSilence: 30_000,
  /** Connecting to object storage. */
  storageConnection: 3_000,
  /** One attempt at object storage, which is made three times. */
  storage: 10_000,
  /** A purge of the cache in front; it is tried each second. */
  purge: 2_000,
  /** A report to the error collector. */
  errorReport: 5_000,
} as const;
