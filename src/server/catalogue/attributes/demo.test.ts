import { expect, test } from 'vitest';
import { namedColour } from '#contract/catalogue/colour.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { demoProducts } from '#server/testing/demo-products.ts';
import { smallestDoorOf } from './carrying.ts';
import { materialsOf } from './materials.ts';

/** Written by looking at each product's picture and swatch. */
const BY_HAND: Record<string, string> = {
  'oslo-three-seat-sofa': 'Oatmeal, Olive, Slate',
  'haven-boucle-sofa': 'Ivory',
  'carrick-leather-sofa': 'Tan',
  'wren-velvet-sofa': 'Moss, Russet, Navy',
  'skye-linen-sofa': 'Linen',
  'rowan-wool-sofa': 'Russet',
  'elgin-boucle-armchair': 'Ivory',
  'elgin-leather-armchair': 'Tan',
  'elgin-linen-armchair': 'Stone, Sage',
  'dune-velvet-footstool': 'Olive',
  'hythe-cord-chair': 'Oak',
  'marsh-spindle-chair': 'Black',
  'alder-carver-chair': 'Beige',
  'fenn-ladder-back-chair': 'Espresso',
  'tarn-oak-stool': 'Oak',
  'hythe-cord-bench': 'Oak',
  'brook-walnut-bench': 'Walnut',
  'mossley-upholstered-bench': 'Sage',
  'quay-slatted-bench': 'Black',
  'pebble-coffee-table': 'Walnut',
  'orla-round-coffee-table': 'Oak',
  'siena-side-table': 'Travertine',
  'aldous-fluted-wardrobe': 'Oak',
  'kestrel-walnut-wardrobe': 'Walnut',
  'camber-cane-wardrobe': 'Oak',
  'linton-painted-wardrobe': 'Off-white, Sage, Slate',
  'camber-cane-sideboard': 'Oak',
  'aldous-fluted-sideboard': 'Walnut',
  'tarn-bedside-table': 'Oak',
  'callow-ceramic-lamp': 'Off-white',
  'terra-table-lamp': 'Terracotta',
  'halo-mushroom-lamp': 'Cream',
  'fable-brass-floor-lamp': 'Brass',
  'heron-tripod-lamp': 'Oak',
  'arden-arc-lamp': 'Brass',
  'moon-stoneware-vase': 'Off-white',
  'cairn-terracotta-vase': 'Terracotta',
  'loch-bottle-vase': 'Spruce',
  'ember-candle-holders': 'Brass',
  'heath-stoneware-bowl': 'Sand',
  'orchard-walnut-tray': 'Walnut',
  'siena-travertine-tray': 'Travertine',
};

test('every colour of the demo catalogue has the name that somebody who looks at the product gives it (§3.2)', () => {
  const coloured = demoProducts.filter(({ colors }) => colors.length > 0);
  const named = Object.fromEntries(
    coloured.map(({ slug, colors }) => [slug, colors.map(({ hexCode }) => namedColour(hexCode).name).join(', ')]),
  );
  expect(named).toEqual(BY_HAND);
});

/** Written by reading each product's description. What only its parts are made of counts too; knobs and what lies beside it do not. */
const MATERIALS: Record<string, string> = {
  'oslo-three-seat-sofa': 'Beech, Oak, Wool',
  'haven-boucle-sofa': 'Bouclé, Walnut',
  'carrick-leather-sofa': 'Leather, Steel',
  'wren-velvet-sofa': 'Cotton, Velvet, Walnut',
  'elgin-armchair-dune-footstool': 'Bouclé, Walnut',
  'fenn-ladder-back-chair': 'Ash, Leather',
  'hythe-cord-bench': 'Oak, Paper cord',
  'siena-side-table': 'Steel, Travertine',
  'aldous-fluted-wardrobe': 'Birch, Oak, Plywood',
  'kestrel-walnut-wardrobe': 'Walnut',
  'camber-cane-wardrobe': 'Oak, Rattan',
  'linton-painted-wardrobe': 'Birch',
  'loch-bottle-vase': 'Stoneware',
  'tarn-bedside-table': 'Oak',
  'tarn-bedside-tables-pair': 'Oak',
  'callow-ceramic-lamp': 'Ceramic, Stoneware',
  'arden-arc-lamp': 'Brass, Marble',
  'ripple-glass-vase': 'Glass',
  'orchard-walnut-tray': 'Walnut',
};

test('the materials of the demo catalogue are those that somebody who reads the descriptions names (§3.2.1)', () => {
  const named = Object.fromEntries(demoProducts.map((product) => [product.slug, materialsOf(product).sort().join(', ')]));
  expect(named).toMatchObject(MATERIALS);
  expect(Object.keys(named).filter((slug) => named[slug] === '')).toEqual([]);
});

test('each kind that a size of the demo’s sofas is called by is among the subcategories under which it is found', () => {
  for (const { name, category, subCategory, sizes } of demoProducts)
    if (category === 'Sofa') expect(subCategory.split(', ').sort(), name).toEqual(sizes.map(({ size }) => size).sort());
});

test('no product of the demo that has several sizes is named after one of them', () => {
  for (const { name, sizes } of demoProducts)
    if (sizes.length > 1) for (const { size } of sizes) expect(name.toLowerCase()).not.toContain(size.toLowerCase());
});

test('a word that only looks like a material is not one', () => {
  const of = (name: string, description = '') => materialsOf({ name, subCategory: '', description });
  expect(of('Ashby Linen Press')).toEqual([]);
  expect(of('Glassy Oakham shelf', 'With brass knobs. A wool throw is included.')).toEqual([]);
  expect(of('Stool', 'A seat of boucle\u0301 and woven cane on a frame of OAK.')).toEqual(['Bouclé', 'Rattan', 'Oak']);
});

test('every sofa of the demo catalogue goes through a door of 76 cm with its legs off, and wardrobes in one piece or in boxes', () => {
  const large = demoProducts.filter(({ category }) => ['Sofa', 'Wardrobe'].includes(category));
  expect(large).toHaveLength(10);
  for (const { name, sizes } of large)
    for (const { size, measurements } of sizes)
      expect([name, size, smallestDoorOf(measurements, dimensionsOf(measurements))]).toEqual([
        name,
        size,
        expect.toSatisfy((door: number) => door <= 760),
      ]);
});
