import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { isInvented, variantAsked } from './use-choice.ts';

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

test('an address with a size, a colour or a page of reviews that the product does not have is invented', () => {
  const sizes = [{ size: 'Two-seat', quantity: 1, price: 100 }];
  const invented = (search: string) => isInvented({ sizes: sizes as Product['sizes'], colors }, 2, new URLSearchParams(search));
  for (const known of ['', 'size=two-seat&colour=oak', 'colour=505558', 'reviewPage=2&reviewSort=lowest'])
    expect(invented(known)).toBe(false);
  for (const unknown of ['size=zz1', 'size=two-seat&colour=pink', 'reviewPage=3']) expect(invented(unknown)).toBe(true);
});
