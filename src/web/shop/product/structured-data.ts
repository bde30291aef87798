import type { Product } from '#contract/catalogue/catalogue.ts';
import { decimal } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Review } from '#contract/reviews/reviews.ts';

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

/** What it costs, or from what to what its sizes cost. */
const priceSchema = ({ fromPrice, toPrice, sizes }: Product) =>
  fromPrice === toPrice
    ? { '@type': 'Offer', price: amount(fromPrice) }
    : { '@type': 'AggregateOffer', lowPrice: amount(fromPrice), highPrice: amount(toPrice), offerCount: sizes.length };

/** Product, Offer and BreadcrumbList in schema.org's words. `reviews` are those that the page shows; `origin` is put before every path, `pictures` before those of pictures. */
export function productSchema(product: Product, reviews: readonly Review[], origin: string, pictures: string): object {
  const url = `${origin}/product/${product._id}`;
  const crumbs = [
    { name: 'Home', item: `${origin}/` },
    { name: product.category, item: `${origin}/shop?query=${encodeURIComponent(product.category)}` },
    { name: product.name, item: url },
  ];
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Product',
        name: product.name,
        description: product.description,
        image: product.images.map((image) => pictures + image),
        brand: { '@type': 'Brand', name: product.brand },
        category: product.category,
        sku: product._id,
        ...ratingSchema(product, reviews),
        offers: {
          ...priceSchema(product),
          url,
          priceCurrency: 'GBP',
          availability: `https://schema.org/${product.piecesLeft > 0 ? 'InStock' : 'OutOfStock'}`,
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
      },
    ],
  };
}
