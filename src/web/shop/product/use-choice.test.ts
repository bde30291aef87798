import { expect, test } from 'vitest';
import { variantAsked } from './use-choice.ts';

const slate = (hexCode: string) => ({ colorName: 'Slate', hexCode, name: 'Slate' });
const colors = [{ colorName: 'Oak', hexCode: '#b08d57', name: 'Oak' }, slate('#53595c'), slate('#505558')];
const asked = (search: string) => variantAsked({ sizes: [], colors }, new URLSearchParams(search)).colour?.hexCode;

test('an address names one of two colours with the same name by its hex code, and the first of them by the name', () => {
  expect(asked('colour=oak')).toBe('#b08d57');
  expect(asked('colour=505558')).toBe('#505558');
  expect(asked('colour=slate')).toBe('#53595c');
  expect(asked('colour=pink')).toBeUndefined();
  expect(asked('')).toBeUndefined();
});
