import { here, nearby } from '#web/ui/nearby.tsx';

// Parts of the product page that are far below, or shown of few products: their code is loaded when they come near.

/** Customers' reviews; `#write-review` is where mails and orders lead to. */
export const reviewsPart = import.meta.env.SSR
  ? here((await import('#web/shop/reviews/reviews.tsx')).Reviews)
  : nearby(async () => (await import('#web/shop/reviews/reviews.tsx')).Reviews, { hash: '#write-review', height: '20rem' });

/** A strip of pieces that go with it. */
export const goesWithPart = import.meta.env.SSR
  ? here((await import('#web/shop/related/goes-with.tsx')).GoesWith)
  : nearby(async () => (await import('#web/shop/related/goes-with.tsx')).GoesWith, { height: '24rem' });

/** What stands in place of the promise when it is sold out. */
export const soldOutPart = import.meta.env.SSR
  ? here((await import('#web/shop/related/sold-out.tsx')).SoldOut)
  : nearby(async () => (await import('#web/shop/related/sold-out.tsx')).SoldOut, { height: '24rem' });
