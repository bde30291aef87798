import type { Product } from '#contract/catalogue/catalogue.ts';
import { productPath, variantName } from '#contract/catalogue/variant.ts';
import { decimal } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import type { Choice } from './use-choice.ts';

/** Stars as search engines may show them: only those that customers gave, never a rating that the shop's data claims. */
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

const amount = (pence: number) => decimal(pence).replaceAll(',', '');

/** What it costs, in a size that is meant or else from what to what its sizes cost. */
const priceSchema = ({ fromPrice, toPrice, sizes }: Product, chosen: Choice | undefined) =>
  chosen?.named.size || fromPrice === toPrice
    ? { '@type': 'Offer', price: amount(chosen?.price ?? fromPrice) }
    : { '@type': 'AggregateOffer', lowPrice: amount(fromPrice), highPrice: amount(toPrice), offerCount: sizes.length };

/** Product, Offer and BreadcrumbList in schema.org's words. `reviews` are those that the page shows; `origin` is put before every path, `pictures` before those of pictures. `chosen` is the variant that the page's address names. */
export function productSchema(
  product: Product,
  reviews: readonly Review[],
  origin: string,
  pictures: string,
  chosen: Choice | undefined,
): object {
  const name = variantName(product.name, chosen?.named ?? {});
  const url = origin + productPath(product._id, chosen?.named);
  const shown = product.images[chosen?.picture ?? 0];
  const size = product.sizes.find((entry) => entry.size === chosen?.named.size);
  // One code is not several sizes'.
  const barcode = size?.barcode || (product.sizes.length < 2 ? product.sizes[0]?.barcode || product.barcode : '');
  const crumbs = [
    { name: 'Home', item: `${origin}/` },
    { name: product.category, item: `${origin}/shop?query=${encodeURIComponent(product.category)}` },
    { name: product.name, item: origin + productPath(product._id) },
  ];
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Product',
        name,
        description: product.description,
        image: [...new Set([shown ?? [], product.images].flat())].map((image) => pictures + image),
        ...(chosen?.named.size && { size: chosen.named.size }),
        ...(chosen?.named.colour && { color: chosen.named.colour }),
        brand: { '@type': 'Brand', name: product.brand },
        category: product.category,
        sku: size?.sku || product.sku || product._id,
        ...(barcode && { gtin: barcode }),
        ...ratingSchema(product, reviews),
        offers: {
          ...priceSchema(product, chosen),
          ...(product.saleEnds && { priceValidUntil: product.saleEnds }),
          url,
          priceCurrency: 'GBP',
          availability: `https://schema.org/${(chosen?.named.size ? chosen.available : product.piecesLeft) > 0 ? 'InStock' : 'OutOfStock'}`,
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
      },
    ],
  };
}
