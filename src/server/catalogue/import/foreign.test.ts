import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { csvRow } from '#server/platform/csv.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { check, carryOut } = importer(app, admin);

async function read(name: string): Promise<OfficeProduct> {
  const { id } = await db.selectFrom('products').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  return (await app.inject({ url: `/api/office/products/${id}`, headers: admin.headers })).json<OfficeProduct>();
}
const file = (head: readonly string[], rows: Record<string, string>[]) =>
  csvRow([...head]) + rows.map((row) => csvRow(head.map((heading) => row[heading] ?? ''))).join('');

/** The columns that Shopify publishes for its export of products. */
const SHOPIFY = [
  'Handle|Title|Body (HTML)|Vendor|Product Category|Type|Tags|Published|Option1 Name|Option1 Value|Option2 Name',
  'Option2 Value|Option3 Name|Option3 Value|Variant SKU|Variant Grams|Variant Inventory Tracker|Variant Inventory Qty',
  'Variant Inventory Policy|Variant Fulfillment Service|Variant Price|Variant Compare At Price|Variant Requires Shipping',
  'Variant Taxable|Variant Barcode|Image Src|Image Position|Image Alt Text|Gift Card|SEO Title|SEO Description',
  'Variant Image|Variant Weight Unit|Cost per item|Status',
].flatMap((line) => line.split('|'));

test('an export of Shopify is checked first, then its products come with their variants as sizes, and its pictures are fetched', async () => {
  const csv = file(SHOPIFY, [
    {
      Handle: 'oslo',
      Title: 'Shopify Sofa',
      'Body (HTML)': '<p>A sofa &amp; more.</p><p>Of oak.</p>',
      Vendor: 'Alder',
      Type: 'Sofa',
      Published: 'true',
      'Option1 Name': 'Seats',
      'Option1 Value': 'Two',
      'Option2 Name': 'Colour',
      'Option2 Value': 'Oak',
      'Variant SKU': 'S-2',
      'Variant Grams': '41500',
      'Variant Inventory Qty': '3',
      'Variant Price': '899.00',
      'Variant Barcode': "'4006381333931",
      'Image Src': 'https://cdn.example.com/1.jpg',
      'Cost per item': '400.00',
      Status: 'active',
    },
    {
      Handle: 'oslo',
      'Option1 Value': 'Three',
      'Option2 Value': 'Oak',
      'Variant Inventory Qty': '-1',
      'Variant Price': '1099.50',
      'Image Src': 'http://cdn.example.com/2.jpg',
    },
    { Handle: 'oslo', 'Image Src': 'https://cdn.example.com/3.jpg' },
    {
      Handle: 'lamp',
      Title: 'Shopify Lamp',
      Vendor: '',
      'Product Category': 'Home > Lighting > Lamps',
      'Option1 Name': 'Title',
      'Option1 Value': 'Default Title',
      'Variant Inventory Qty': '7',
      'Variant Price': '19.99',
      Status: 'draft',
    },
    { Handle: 'free', Title: 'Free thing', 'Option1 Value': 'Default Title', 'Variant Price': '0.00', Status: 'active' },
  ]);
  const report = await check(csv);
  expect(report).toMatchObject({
    added: 2,
    leftOut: 1,
    changes: [
      { row: 2, name: 'Shopify Sofa', change: 'new' },
      { row: 5, name: 'Shopify Lamp' },
    ],
  });
  expect(report.errors).toEqual([{ row: 6, column: 'Variant Price', message: 'Price is required.' }]);
  expect(await db.selectFrom('products').select('id').execute()).toEqual([]);
  await carryOut(csv);
  expect(await read('Shopify Sofa')).toMatchObject({
    description: 'A sofa & more.\nOf oak.',
    category: 'Sofa',
    brand: 'Alder',
    price: 89_900,
    countInStock: 3,
    state: 'live',
    sizes: [
      { size: 'Two / Oak', price: 89_900, quantity: 3, sku: 'S-2', barcode: '4006381333931', weight: 41_500, costPrice: 40_000 },
      { size: 'Three / Oak', price: 109_950, quantity: 0 },
    ],
  });
  expect(await read('Shopify Lamp')).toMatchObject({ price: 1_999, countInStock: 7, category: 'Lamps', state: 'draft', sizes: [] });
  const jobs = await db.selectFrom('jobs').select('payload').where('name', '=', 'fetchPicture').orderBy('id').execute();
  expect(jobs.map(({ payload }) => (payload as { address: string }).address)).toEqual(
    [1, 2, 3].map((n) => `https://cdn.example.com/${n}.jpg`),
  );
  expect(await carryOut(csv)).toMatchObject({ added: 0, unchanged: 2 });
});

/** The columns that WooCommerce publishes for its export of products. */
const WOO = [
  'ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Visibility in catalog|Short description|Description',
  'Date sale price starts|Date sale price ends|Tax status|Tax class|In stock?|Stock|Low stock amount|Backorders allowed?',
  'Sold individually?|Weight (kg)|Length (cm)|Width (cm)|Height (cm)|Allow customer reviews?|Purchase note|Sale price',
  'Regular price|Categories|Tags|Shipping class|Images|Download limit|Download expiry days|Parent|Grouped products|Upsells',
  'Cross-sells|External URL|Button text|Position|Brands|Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible',
].flatMap((line) => line.split('|'));

test('an export of WooCommerce comes with its variations as sizes, wherever they stand', async () => {
  const csv = file(WOO, [
    {
      ID: '10',
      Type: 'variable',
      SKU: 'W',
      Name: 'Woo Sofa',
      Published: '1',
      Description: 'Soft.\\nWide.',
      Categories: 'Furniture > Sofas, Sale',
      'Width (cm)': '180',
      'Length (cm)': '90',
      'Weight (kg)': '41.5',
      'Attribute 1 name': 'Seats',
      'Attribute 1 value(s)': 'Two, Three',
      Brands: 'Alder',
    },
    {
      ID: '12',
      Type: 'simple',
      SKU: 'L',
      Name: 'Woo Lamp',
      Published: '-1',
      'Is featured?': '1',
      'In stock?': '1',
      Stock: '',
      'Regular price': '19.99',
    },
    {
      ID: '13',
      Type: 'variation',
      SKU: 'W-2',
      Name: 'Woo Sofa - Two',
      Published: '1',
      Stock: '4',
      'Regular price': '899',
      Parent: 'W',
      'Attribute 1 value(s)': 'Two',
    },
    {
      ID: '14',
      Type: 'variation',
      SKU: 'W-3',
      Name: 'Woo Sofa - Three',
      Published: '1',
      Stock: '2',
      'Regular price': '1099',
      Parent: 'id:10',
      'Attribute 1 value(s)': 'Three',
    },
  ]);
  expect(await carryOut(csv)).toMatchObject({ added: 2, errors: [] });
  expect(await read('Woo Sofa')).toMatchObject({
    description: 'Soft.\nWide.',
    category: 'Sofas',
    brand: 'Alder',
    price: 89_900,
    countInStock: 6,
    weight: 41_500,
    measurements: [{ name: 'Width' }, { name: 'Depth' }],
    sizes: [
      { size: 'Two', price: 89_900, quantity: 4, sku: 'W-2' },
      { size: 'Three', price: 109_900, quantity: 2, sku: 'W-3' },
    ],
  });
  expect(await read('Woo Lamp')).toMatchObject({
    price: 1_999,
    countInStock: 1,
    isRecommend: true,
    state: 'draft',
    category: 'Furniture',
    brand: 'Unbranded',
  });
});
