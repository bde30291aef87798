import { expect, test } from 'vitest';
import { isGtin } from './gtin.ts';

test.each(['4006381333931', '96385074', '036000291452', '10614141000415'])('%s is a GTIN', (code) => expect(isGtin(code)).toBe(true));

test.each(['4006381333932', '400638133393', '40063813339310', '', '4006381-333931'])('“%s” is not a barcode number', (code) =>
  expect(isGtin(code)).toBe(false),
);
