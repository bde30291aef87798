import { expect, test } from 'vitest';
import { demoProducts } from './demo-products.ts';
import { readGoldenSearches } from './golden-searches.ts';

const { everyday: searches } = readGoldenSearches(demoProducts.map(({ slug }) => slug));

test('the everyday searches are well formed: 89 of them kept aside, none twice, and every one can be met', () => {
  expect(new Set(searches.map(({ search }) => search)).size).toBe(searches.length);
  expect(searches.filter(({ isKeptAside }) => isKeptAside)).toHaveLength(89);
  const impossible = searches.filter(({ products: { first = [], top, has = [], only, not = [] } }) => {
    const mayLead = first.filter((slug) => !top || top.includes(slug));
    const isBarred = (slug: string) => not.includes(slug) || (only && !only.includes(slug));
    return has.some(isBarred) || (first.length > 0 && mayLead.every(isBarred)) || top?.every(isBarred);
  });
  expect(impossible.map(({ search }) => search)).toEqual([]);
});

test('each size and colour that an everyday search asks for is sold', () => {
  const unsold = searches.filter(({ products: { first, has, top }, texts: { size, colour } }) => {
    const sold = demoProducts.filter(({ slug }) => (first ?? has ?? top)?.includes(slug));
    const hasSize = sold.some(({ sizes }) => sizes.some((one) => one.size === size));
    const hasColour = sold.some(({ colors }) => colors.some((one) => one.hexCode === colour));
    return (size && !hasSize) || (colour && !hasColour);
  });
  expect(unsold.map(({ search }) => search)).toEqual([]);
});
