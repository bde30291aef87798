import type { Product } from '#contract/catalogue.ts';
import { decimal } from '#contract/market/money.ts';

/** Product, Offer and BreadcrumbList in schema.org's words. `origin` is put before every path. */
export function productSchema(product: Product, origin: string): object {
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
        image: product.images.map((image) => origin + image),
        brand: { '@type': 'Brand', name: product.brand },
        category: product.category,
        sku: product._id,
        offers: {
          '@type': 'Offer',
          url,
          price: decimal(product.price).replaceAll(',', ''),
          priceCurrency: 'GBP',
          availability: `https://schema.org/${product.countInStock > 0 ? 'InStock' : 'OutOfStock'}`,
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
      },
    ],
  };
}
