import { expect, test } from 'vitest';
import { formOf, jsonText } from './form-of.ts';

test('a form has a part for each field and each entry of a list, an empty one for an empty list, and none for what is undefined', () => {
  const file = new File(['x'], 'sofa.png');
  const form = formOf({
    name: 'Sofa',
    price: 5,
    isRecommend: false,
    images: [file, '/images/a.webp'],
    pictures: [],
    fit: undefined,
    sizes: jsonText([]),
  });
  expect([...form]).toEqual([
    ['name', 'Sofa'],
    ['price', '5'],
    ['isRecommend', 'false'],
    ['images', file],
    ['images', '/images/a.webp'],
    ['pictures', ''],
    ['sizes', '[]'],
  ]);
});
