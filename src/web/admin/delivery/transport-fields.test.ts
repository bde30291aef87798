import { expect, test } from 'vitest';
import { carrierProblem } from './transport-fields.tsx';

test('another carrier needs a name', () => {
  const wrong = (carrier: string, otherCarrier: string) => carrierProblem({ carrier, otherCarrier }).otherCarrier;
  expect(wrong('Another carrier', ' ')).toBe('Write the name of the carrier');
  expect([wrong('Another carrier', 'Van & Man'), wrong('', ''), wrong('DPD', '')]).toEqual([false, false, false]);
});
