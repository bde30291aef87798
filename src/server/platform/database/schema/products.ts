// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { ColumnType, Generated } from 'kysely';
import type { Colour, Measurement } from '#contract/catalogue/catalogue.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';

export interface ProductsTables {
  importedProducts: {
    rowHash: Buffer;
    productId: string;
    at: Generated<string>;
  };
  importedStock: {
    productId: string;
    exported: Buffer;
    stock: number;
    sizes: unknown;
    at: Generated<string>;
  };
  productDimensions: {
    productId: string;
    position: number;
    width: number | null;
    depth: number | null;
    height: number | null;
  };
  productSizes: {
    productId: string;
    position: number;
    size: string;
    quantity: number;
    price: number;
    measurements: ColumnType<Measurement[], string | undefined, string>;
  };
  products: {
    id: string;
    name: string;
    description: string;
    fit: Generated<string>;
    category: string;
    subCategory: Generated<string>;
    brand: string;
    price: number;
    countInStock: number;
    images: Generated<string[]>;
    measurements: ColumnType<Measurement[], string | undefined, string>;
    colors: ColumnType<Colour[], string | undefined, string>;
    rating: Generated<number>;
    isNewArrival: Generated<boolean>;
    isRecommend: Generated<boolean>;
    version: Generated<number>;
    createdAt: Generated<string>;
    updatedAt: Generated<string>;
    deletedAt: string | null;
    inStock: Generated<boolean>;
    categoryKey: Generated<string>;
    subCategoryKey: Generated<string>;
    brandKey: Generated<string>;
    materials: Generated<string[]>;
    colourFamilies: Generated<string[]>;
    fitKey: Generated<string>;
    attributesVersion: Generated<number>;
    labelWords: Generated<string>;
    search: Generated<string>;
    scarcity: Generated<number>;
    shown: ColumnType<Record<string, Shown>, string | undefined, string>;
    model: string | null;
    fromPrice: Generated<number>;
    isAvailable: Generated<boolean>;
    stockLevel: Generated<number>;
  };
  reviewHidings: {
    productId: string;
    userId: string;
    hiddenAt: string;
    hiddenReason: string;
  };
  reviewSummaries: {
    productId: string;
    givenRating: number;
    counts: number[];
  };
  reviewVotes: {
    reviewId: string;
    userId: string;
    createdAt: Generated<string>;
  };
  reviews: {
    id: string;
    productId: string;
    userId: string;
    rating: number;
    text: Generated<string>;
    images: Generated<string[]>;
    helpful: Generated<number>;
    createdAt: Generated<string>;
    hiddenAt: string | null;
    hiddenReason: Generated<string>;
    reply: Generated<string>;
    repliedAt: string | null;
    pictureKey: Generated<Buffer>;
  };
  stockAlerts: {
    id: string;
    productId: string;
    email: string;
    tokenHash: Buffer;
    createdAt: Generated<string>;
    confirmedAt: string | null;
  };
}
