import { storedValue } from './stored-value.ts';

/** The postcode for which the visitor asked prices and days of delivery. */
export const postcode = storedValue('deliveryPostcode', (stored) =>
  typeof stored === 'string' && stored.length <= 10 ? stored : undefined,
);
