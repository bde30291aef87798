import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { missingSideNote, NEW_SIZE, stockWarning } from './product-fields.ts';

const warningOf = (countInStock: number, quantities: number[], setParts = '') =>
  stockWarning({ countInStock, setParts, sizes: quantities.map((quantity) => ({ size: 'S', quantity })) as OfficeProduct['sizes'] });

test('a product whose count is not that of its sizes says after saving how many can be sold', () => {
  expect(warningOf(6, [4, 3])).toBe('The count in stock is 6, but the sizes add up to 7: only 6 can be sold.');
  expect(warningOf(9, [4, 3])).toBe('The count in stock is 9, but the sizes add up to 7: only 7 can be sold.');
  expect(warningOf(0, [4, 3])).toBe('The count in stock is 0, but the sizes add up to 7: nothing can be sold.');
  expect([warningOf(7, [4, 3]), warningOf(6, []), warningOf(6, [4], 'a set')]).toEqual([undefined, undefined, undefined]);
});

const sideNoteOf = (sides: Record<string, string>, { deliveryClass = 'by size', setParts = '', ofProduct = {} } = {}) => {
  const measured = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));
  return missingSideNote(
    { deliveryClass, setParts, sizes: [{ ...NEW_SIZE, measurements: measured(sides) }] },
    { measurements: measured(ofProduct) },
  );
};

test('a product of which a side is missing says that it is a parcel, while its size decides (§9.9)', () => {
  expect(sideNoteOf({ Width: '90' })).toMatch(/sent and returned as a parcel/);
  expect(sideNoteOf({})).toMatch(/sent and returned as a parcel/);
  expect(sideNoteOf({ Width: '90', Depth: '80', Height: '70' })).toBeUndefined();
  expect(sideNoteOf({ Width: '90' }, { ofProduct: { Depth: '80', Height: '70' } })).toBeUndefined();
  expect(sideNoteOf({ Diameter: '90', Height: '70' })).toBeUndefined();
  const sizes = [
    { ...NEW_SIZE, size: 'Long', measurements: ['Width', 'Depth', 'Height'].map((name) => ({ name, value: '90' })) },
    { ...NEW_SIZE, size: 'Short', measurements: [{ name: 'Width', value: '120' }] },
  ];
  expect(missingSideNote({ deliveryClass: 'by size', setParts: '', sizes }, undefined)).toMatch(
    /^A side of Short is missing, so it is sent/,
  );
  expect([sideNoteOf({}, { deliveryClass: 'parcel' }), sideNoteOf({}, { setParts: 'a set' })]).toEqual([undefined, undefined]);
});
