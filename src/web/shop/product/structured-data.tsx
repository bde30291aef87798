import { useContext } from 'react';
import { type Product, priceOf, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { productPath, slugOf, variantName } from '#contract/catalogue/variant.ts';
import { arrivalOf } from '#contract/delivery/lead-time.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import { methodsFor, type ShopDelivery } from '#contract/delivery/methods.ts';
import type { Company } from '#contract/market/company.ts';
import { type Pence, plainDecimal } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { JsonLd } from '#web/parts/json-ld.tsx';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { CompanyContext, DeliveryContext, OriginContext, useAppSelector } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';
import type { Choice } from './use-choice.ts';

/** Stars for search engines: customers' ratings only, never the shop's own. */
function ratingSchema({ rating, reviewCount }: Product, reviews: readonly Review[]): object {
  if (reviewCount === 0) return {};
  return {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: Number(rating.toFixed(2)), reviewCount, bestRating: 5, worstRating: 1 },
    review: reviews.map(({ author, createdAt, text, rating: stars }) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name: author },
      datePublished: shopDay(createdAt),
      ...(text && { reviewBody: text }),
      reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5, worstRating: 1 },
    })),
  };
}

const days = (minValue: number, maxValue: number) => ({ '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' });
const COUNTRY = 'GB';

/** Delivery methods for the mainland, priced for one item alone. */
function deliverySchema(product: Product, price: Pence, { methods }: ShopDelivery): object[] {
  const leadDays = 7 * (product.leadWeeks ?? 0);
  return methodsFor(methodsTaking(methods, product.load), price).map((method) => ({
    '@type': 'OfferShippingDetails',
    shippingLabel: method.label,
    shippingRate: { '@type': 'MonetaryAmount', value: plainDecimal(method.price), currency: 'GBP' },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: COUNTRY },
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      // A day more for orders after the cut-off or at a weekend.
      handlingTime: days(leadDays, leadDays + 1),
      transitTime: days(method.minDays, method.maxDays),
    },
  }));
}

/** As the refund policy says: large pieces are collected free of charge, small ones are posted by the customer where the shop does not collect. */
const returnsSchema = ({ collectsReturns }: Company) => ({
  '@type': 'MerchantReturnPolicy',
  applicableCountry: COUNTRY,
  returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
  merchantReturnDays: RETURN_DAYS.ask,
  returnMethod: 'https://schema.org/ReturnByMail',
  returnFees: `https://schema.org/${collectsReturns ? 'FreeReturn' : 'ReturnFeesCustomerResponsibility'}`,
  refundType: 'https://schema.org/FullRefund',
});

interface SchemaShop {
  /** Origin of page URLs. */
  origin: string;
  /** Origin of picture URLs. */
  pictures: string;
  delivery: ShopDelivery;
  company: Company;
}

/** A size, or a product without sizes. */
interface Item {
  size: string | undefined;
  colour: string | undefined;
  price: Pence;
  picture: number;
  isInStock: boolean;
}

const sizeOf = ({ sizes }: Product, name: string | undefined) => sizes.find(({ size }) => size === name);

/** The product's own codes identify a size only if there is no other. */
function codesOf(product: Product, { size: name }: Item): object {
  const size = sizeOf(product, name);
  const isOnly = product.sizes.length < 2;
  const barcode = size?.barcode || (isOnly ? product.sizes[0]?.barcode || product.barcode : '');
  const sku = size?.sku || (isOnly && product.sku) || [product._id, slugOf(name ?? '')].filter(Boolean).join('-');
  return { sku, ...(barcode && { gtin: barcode }) };
}

/** `PreOrder` for what is sold before it has arrived. */
function availabilityOf(product: Product, isInStock: boolean): object {
  const arrival = isInStock ? arrivalOf(product, Date.now()) : null;
  const availability = `https://schema.org/${arrival ? 'PreOrder' : isInStock ? 'InStock' : 'OutOfStock'}`;
  return { availability, ...(arrival && { availabilityStarts: arrival }) };
}

/** A Product with its Offer. */
function itemSchema(product: Product, item: Item, { origin, pictures, delivery, company }: SchemaShop): object {
  const { size, colour, price, picture, isInStock } = item;
  // The item's own picture first.
  const images = new Set([product.images[picture] ?? [], product.images].flat());
  return {
    '@type': 'Product',
    name: variantName(product.name, { size, colour }),
    description: product.description,
    image: [...images].map((image) => pictures + image),
    ...(size && { size }),
    ...(colour && { color: colour }),
    ...codesOf(product, item),
    offers: {
      '@type': 'Offer',
      price: plainDecimal(price),
      priceCurrency: 'GBP',
      ...(product.saleEnds && { priceValidUntil: product.saleEnds }),
      url: origin + productPath(product._id, { size, colour }),
      ...availabilityOf(product, isInStock),
      itemCondition: 'https://schema.org/NewCondition',
      shippingDetails: deliverySchema(product, price, delivery),
      hasMerchantReturnPolicy: returnsSchema(company),
    },
  };
}

const itemOfSize = (product: Product, size: string): Item => ({
  size,
  colour: undefined,
  price: priceOf(product, size),
  picture: pictureOf(product.pictures, size, undefined),
  isInStock: stockOfSize(product, size) > 0,
});

/** A product without sizes, or in its only size. */
const wholeItem = (product: Product, chosen: Choice | undefined): Item => ({
  size: undefined,
  colour: chosen?.named.colour,
  price: chosen?.price ?? product.fromPrice,
  picture: chosen?.picture ?? 0,
  isInStock: product.piecesLeft > 0,
});

const VARIES_BY = ['https://schema.org/size'];

/**
 * A product in a size that the URL names is a Product with its Offer, and so is a product with at most one size. With several sizes, it is a
 * ProductGroup with a Product and an Offer for each.
 */
function pieceSchema(product: Product, chosen: Choice | undefined, shop: SchemaShop): object {
  const { _id, name, sizes, brand, category, description } = product;
  const common = { brand: { '@type': 'Brand', name: brand }, category };
  const size = sizes.length > 1 ? chosen?.named.size : undefined;
  const group = { '@type': 'ProductGroup', name, productGroupID: _id, variesBy: VARIES_BY };
  if (size && chosen) {
    const item = { ...itemOfSize(product, size), colour: chosen.named.colour, picture: chosen.picture };
    return { ...itemSchema(product, item, shop), ...common, isVariantOf: group };
  }
  if (sizes.length < 2) return { ...itemSchema(product, wholeItem(product, chosen), shop), ...common };
  const colour = chosen?.named.colour;
  return {
    ...group,
    ...common,
    description,
    url: shop.origin + productPath(_id),
    image: product.images.map((image) => shop.pictures + image),
    hasVariant: sizes.map((one) => itemSchema(product, { ...itemOfSize(product, one.size), colour }, shop)),
  };
}

/** The product and its breadcrumbs for schema.org. `reviews` are those on the page; `chosen` is the variant in the URL. */
function productSchema(product: Product, reviews: readonly Review[], chosen: Choice | undefined, shop: SchemaShop): object {
  const { origin } = shop;
  const crumbs = [
    { name: 'Home', item: `${origin}/` },
    { name: product.category, item: `${origin}/shop?query=${encodeURIComponent(product.category)}` },
    { name: product.name, item: origin + productPath(product._id) },
  ];
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { ...pieceSchema(product, chosen, shop), ...ratingSchema(product, reviews) },
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
      },
    ],
  };
}

/** The product page's structured data, rendered by the server only. */
export function ProductData({ product, choice }: { product: Product; choice: Choice }) {
  const origin = useContext(OriginContext);
  const shop = {
    origin,
    pictures: useContext(PicturesContext) || origin,
    delivery: useContext(DeliveryContext),
    company: useContext(CompanyContext),
  };
  const { reviews } = useAppSelector(selectProductDetail);
  const isNamed = Object.values(choice.named).some(Boolean);
  return <JsonLd data={productSchema(product, reviews?.reviews ?? [], isNamed ? choice : undefined, shop)} />;
}
