import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { priceOf, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { colourName } from '#contract/catalogue/colour.ts';
import { shownUrl } from '#contract/catalogue/pictures.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import { colourForUrl, type NamedColour, productPath, variantName } from '#contract/catalogue/variant.ts';
import type { Load } from '#contract/delivery/delivery-classes.ts';
import { arrivalOf } from '#contract/delivery/lead-time.ts';
import { loadOfProduct, methodsTaking } from '#contract/delivery/load.ts';
import { methodsFor } from '#contract/delivery/methods.ts';
import { isCarriedByTwo } from '#contract/delivery/two-person-delivery.ts';
import { type Pence, plainDecimal } from '#contract/market/money.ts';
import { cut } from '#contract/platform/text.ts';
import { partRows, sizesInOrder, slowestLeadTime } from '#server/catalogue/catalogue.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { escapeXml } from '#server/platform/markup.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** Google's limits: characters of each text, and number of additional pictures. */
const MOST = { title: 150, description: 5_000, brand: 70, code: 70, variant: 100, pictures: 10 } as const;

/** The next batch of live products, by id, with public columns only; a set is ready with its slowest part. */
export async function productsForFeed(db: Db, last: string | undefined, limit: number) {
  const rows = await db
    .selectFrom('products')
    .select([
      'id',
      'name',
      'description',
      'category',
      'subCategory',
      'brand',
      'images',
      'shown',
      'sku',
      'barcode',
      'weight',
      'leadWeeks',
      'readyFrom',
    ])
    .select((eb) => [
      'deliveryClass',
      jsonArrayFrom(eb.selectFrom('productDimensions').select(['width', 'depth', 'height']).whereRef('productId', '=', 'products.id')).as(
        'dimensions',
      ),
    ])
    .select(['price', 'wasPrice', 'saleSince', 'saleTo', 'countInStock', sizesInOrder, 'colors', partRows])
    .where('deletedAt', 'is', null)
    .$if(last !== undefined, (query) => query.where(sql<SqlBool>`id > ${last}::uuid`))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ partRows: parts, ...row }) => ({
    ...row,
    ...slowestLeadTime(row, parts),
    parts: parts.map(({ outer, deliveryClass }) => ({ isByTwo: isCarriedByTwo(outer ?? undefined, deliveryClass) })),
  }));
}

/** The next arrival of any product, in milliseconds since 1970; infinite without one. */
export async function nextArrival(db: Db): Promise<number> {
  const { arrival } = await db
    .selectFrom('products')
    .select((eb) => eb.fn.min('readyFrom').as('arrival'))
    .where('deletedAt', 'is', null)
    .where(sql<SqlBool>`ready_from > now()`)
    .executeTakeFirstOrThrow();
  return arrival ? Date.parse(arrival) : Infinity;
}

type FeedProduct = Awaited<ReturnType<typeof productsForFeed>>[number];

/** Shop-wide data of the feed. */
export type FeedShop = Pick<Config, 'publicUrl' | 'picturesUrl' | 'company' | 'delivery'>;

const amount = (pence: Pence) => `${plainDecimal(pence)} GBP`;
const tag = (name: string, value: string) => (value === '' ? '' : `<g:${name}>${escapeXml(value)}</g:${name}>`);

/** An id of at most 50 characters that is stable while size and colour keep their names. */
const variantId = (id: string, variant: readonly string[]) =>
  variant.length === 0 ? id : `${id}-${createHash('sha256').update(JSON.stringify(variant)).digest('hex').slice(0, 12)}`;

type Size = FeedProduct['sizes'][number];
interface ChosenVariant {
  size: Size | undefined;
  colour: NamedColour | undefined;
}

const orNone = <T>(all: readonly T[]): readonly (T | undefined)[] => (all.length > 0 ? all : [undefined]);

/** Each size in each colour. */
const variantsOf = (sizes: readonly Size[], colours: readonly NamedColour[]): ChosenVariant[] =>
  orNone(sizes).flatMap((size) => orNone(colours).map((colour) => ({ size, colour })));

/** `2026-11-26T09:00Z`, Google's date format. */
const minute = (iso: string) => `${iso.slice(0, 16)}Z`;

/** Price and sale price; a sale is only stated with a proven earlier price (decision 120). */
function pricesOf({ price, wasPrice, saleSince, saleTo, sizes }: FeedProduct, { size }: ChosenVariant): string {
  const now = priceOf({ price, sizes }, size?.size);
  const was = saleSince === null ? null : size ? size.wasPrice : wasPrice;
  if (was === null || was <= now) return tag('price', amount(now));
  const dates = saleSince && saleTo ? tag('sale_price_effective_date', `${minute(saleSince)}/${minute(saleTo)}`) : '';
  return tag('price', amount(was)) + tag('sale_price', amount(now)) + dates;
}

/** Delivery methods for the mainland, priced for this item alone. Google counts transit in business days. */
const shippingOf = (price: Pence, load: Load, { delivery }: FeedShop) =>
  methodsFor(methodsTaking(delivery.methods, load), price)
    .map(({ label, price: costs, minDays, maxDays, unit }) => {
      const days = unit === 'business_day' ? tag('min_transit_time', String(minDays)) + tag('max_transit_time', String(maxDays)) : '';
      return `<g:shipping>${tag('country', 'GB')}${tag('service', label)}${tag('price', amount(costs))}${days}</g:shipping>`;
    })
    .join('');

/** A product that is still to arrive is a pre-order. */
function availabilityOf(product: FeedProduct, size: string | undefined): string {
  if (stockOfSize(product, size) === 0) return tag('availability', 'out_of_stock');
  const arrival = arrivalOf(product, Date.now());
  return arrival ? tag('availability', 'preorder') + tag('availability_date', minute(arrival)) : tag('availability', 'in_stock');
}

/** Brand, GTIN and MPN. A product's code is used only for its only variant, a size's only for its only colour: each item needs its own. */
function codesOf({ brand, sku, barcode, sizes }: FeedProduct, { size }: ChosenVariant, colours: number): string {
  const isOnly = sizes.length < 2 && colours < 2;
  const gtin = (colours < 2 && size?.barcode) || (isOnly && barcode) || '';
  const mpn = (colours < 2 && size?.sku) || (isOnly && sku) || '';
  const brandTag = tag('brand', cut(brand, MOST.brand));
  return gtin || mpn ? brandTag + tag('gtin', gtin) + tag('mpn', cut(mpn, MOST.code)) : brandTag + tag('identifier_exists', 'no');
}

/** The items of a product, one for each size and colour. Empty for a product without a picture, which Google refuses. */
export function feedItems(product: FeedProduct, shop: FeedShop): string {
  const { id, name, description, category, subCategory, images, shown, sizes, colors, weight } = product;
  if (images.length === 0) return '';
  const pictures = images.map((image): Shown => ({ kind: null, size: null, color: null, ...shown[image] }));
  const pictureUrls = images.map((image) => shownUrl(shop.picturesUrl || shop.publicUrl, image));
  const colours = colors.map((colour) => ({ hexCode: colour.hexCode, name: colourName(colour) }));
  const variants = variantsOf(sizes, colours);
  return variants
    .map((chosen) => {
      const { size, colour } = chosen;
      const chosenSize = sizes.length > 1 ? size?.size : undefined;
      const chosenColour = colours.length > 1 ? colour : undefined;
      const named = { size: chosenSize, colour: chosenColour?.name };
      const inUrl = { size: chosenSize, colour: chosenColour && colourForUrl(chosenColour, colours) };
      const [first, ...others] = movedToFront(pictureUrls, pictureOf(pictures, size?.size, colour?.hexCode));
      const grams = size?.weight ?? weight;
      const price = priceOf(product, size?.size);
      return [
        '<item>',
        tag('id', variantId(id, [chosenSize ?? [], inUrl.colour ?? []].flat())),
        variants.length > 1 ? tag('item_group_id', id) : '',
        tag('title', cut(variantName(name, named), MOST.title)),
        tag('description', cut(description, MOST.description)),
        tag('link', shop.publicUrl + productPath(id, inUrl)),
        tag('image_link', first ?? ''),
        ...others.slice(0, MOST.pictures).map((picture) => tag('additional_image_link', picture)),
        availabilityOf(product, size?.size),
        pricesOf(product, chosen),
        tag('condition', 'new'),
        product.parts.length > 0 ? tag('is_bundle', 'yes') : '',
        codesOf(product, chosen, colours.length),
        tag('product_type', [category, subCategory].filter(Boolean).join(' > ')),
        tag('size', cut(chosenSize ?? '', MOST.variant)),
        tag('color', cut(colour ? colourText(colour, colours) : '', MOST.variant)),
        grams ? tag('shipping_weight', `${grams / 1000} kg`) : '',
        // Business days until a piece that is made to order leaves.
        product.leadWeeks ? tag('max_handling_time', String(5 * product.leadWeeks)) : '',
        shippingOf(price, loadOfProduct(product), shop),
        '</item>',
      ].join('');
    })
    .join('\n');
}

/** The name of a colour, with its code if several have the same name. */
const colourText = (colour: NamedColour, colours: readonly NamedColour[]) => {
  const inUrl = colourForUrl(colour, colours);
  return inUrl === colour.name ? inUrl : `${colour.name} ${inUrl}`;
};

/** The list with the item at `place` moved to the front. */
const movedToFront = <T>(all: readonly T[], place: number): T[] => [...all.slice(place, place + 1), ...all.filter((_, at) => at !== place)];
