import { FAR_DOWN, lazyPart } from '#web/parts/lazy-part.tsx';

// Parts of the product page that are further down, or rarely shown.

export const FitSection = lazyPart(async () => (await import('#web/shop/fit/fit-section.tsx')).FitSection, FAR_DOWN);

export const Reviews = lazyPart(async () => (await import('#web/shop/reviews/reviews.tsx')).Reviews, FAR_DOWN);

export const GoesWith = lazyPart(async () => (await import('#web/shop/related/goes-with.tsx')).GoesWith, FAR_DOWN);

export const CompleteRoom = lazyPart(async () => (await import('#web/shop/rooms/complete-room.tsx')).CompleteRoom, FAR_DOWN);

export const SetParts = lazyPart(async () => (await import('./set-parts.tsx')).SetParts, { fallback: <div className="min-h-56" /> });

export const NotShown = lazyPart(async () => (await import('./not-shown.tsx')).NotShown, { fallback: <div className="min-h-80" /> });

export const SoldOut = lazyPart(async () => (await import('#web/shop/related/sold-out.tsx')).SoldOut, FAR_DOWN);

export const PlaceQuestion = lazyPart(async () => (await import('#web/shop/delivery/place-question.tsx')).PlaceQuestion, {
  fallback: <div className="min-h-28" />,
});

export const Sections = lazyPart(async () => (await import('./sections.tsx')).Sections, {
  when: 'touched',
  fallback: <div className="min-h-96" />,
});
