import { lazyPart } from '#web/parts/lazy-part.tsx';

// Parts of the product page that are far below, or shown of few products.

/** The drawing, the form and the rule of "Will it fit?". */
export const FitSection = lazyPart(async () => (await import('#web/shop/fit/fit-section.tsx')).FitSection, {
  when: 'near',
  fallback: <div className="min-h-96" />,
});

/** Customers' reviews. */
export const Reviews = lazyPart(async () => (await import('#web/shop/reviews/reviews.tsx')).Reviews, {
  when: 'near',
  fallback: <div className="min-h-80" />,
});

/** A strip of pieces that go with it. */
export const GoesWith = lazyPart(async () => (await import('#web/shop/related/goes-with.tsx')).GoesWith, {
  when: 'near',
  fallback: <div className="min-h-96" />,
});

/** Pieces to look at instead of a product that is gone. */
export const Recommended = lazyPart(async () => (await import('#web/shop/related/recommended.tsx')).Recommended, {
  when: 'near',
  fallback: <div className="min-h-80" />,
});

/** What stands in place of the promise when it is sold out. */
export const SoldOut = lazyPart(async () => (await import('#web/shop/related/sold-out.tsx')).SoldOut, {
  when: 'near',
  fallback: <div className="min-h-96" />,
});

/** The disclosure sections open and close without scripts. */
export const Sections = lazyPart(async () => (await import('./sections.tsx')).Sections, {
  when: 'touched',
  fallback: <div className="min-h-96" />,
});
