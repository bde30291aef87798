import { laterPart } from '#web/parts/later.tsx';

// Parts of the product page that are far below, or shown of few products: their code is loaded when they come near.

/** Customers' reviews. */
export const reviewsPart = laterPart(async () => (await import('#web/shop/reviews/reviews.tsx')).Reviews);

/** A strip of pieces that go with it. */
export const goesWithPart = laterPart(async () => (await import('#web/shop/related/goes-with.tsx')).GoesWith);

/** Pieces to look at instead of a product that is gone. */
export const recommendedPart = laterPart(async () => (await import('#web/shop/related/recommended.tsx')).Recommended);

/** What stands in place of the promise when it is sold out. */
export const soldOutPart = laterPart(async () => (await import('#web/shop/related/sold-out.tsx')).SoldOut);

/** The disclosure sections open and close without scripts; their code is sent for when something is chosen that they show. */
export const sections = laterPart(() => import('./sections.tsx').then(({ Sections }) => Sections), 'touched');

/** Loads all of them where the server renders the page. */
export const preparePartsBelow = () =>
  Promise.all([reviewsPart, goesWithPart, recommendedPart, soldOutPart, sections].map((part) => part.prepare()));
