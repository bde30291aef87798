import { here, nearby } from '#web/ui/nearby.tsx';

/** The sections far below the product: their code is loaded when they come near (budgets of the product page). */
export const reviewsPart = import.meta.env.SSR
  ? here((await import('#web/shop/reviews/reviews.tsx')).Reviews)
  : nearby(async () => (await import('#web/shop/reviews/reviews.tsx')).Reviews, { hash: '#write-review', height: '20rem' });
