import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { Stars } from '#web/ui/stars.tsx';

/** Stars with their source: the customers' reviews, else the shop (clarifications §12). */
export function ProductStars({ rating, reviewCount }: { rating: number; reviewCount: number }) {
  const { ratingSource } = useContext(CompanyContext);
  return <Stars rating={rating} reviews={reviewCount} source={ratingSource} />;
}
