/** The properties of orders, money, stock and searches, each with a hundred times the runs of `npm test`. */
process.env.PROPERTY_RUNS = '100';

await import('../../src/server/orders/after-sale.test.ts');
await import('../../src/server/orders/sequences.test.ts');
await import('../../src/server/orders/corrections/correction-sequences.test.ts');
await import('../../src/server/orders/discount-sequences.test.ts');
await import('../../src/server/orders/concurrency.test.ts');
await import('../../src/server/search/left-out.test.ts');
await import('../../src/server/orders/office/sales.test.ts');
await import('../../src/server/orders/office/search-characters.test.ts');
await import('../../src/server/payments/reconciliation.test.ts');
