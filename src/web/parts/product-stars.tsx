import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { Stars } from '#web/ui/stars.tsx';

/** A product's stars, and whose they are: its customers', with their number, or else the shop's own (clarifications §12). */
export function ProductStars({ rating, reviewCount }: { rating: number; reviewCount: number }) {
  const { ratingSource } = useContext(CompanyContext);
  return <Stars rating={rating} reviews={reviewCount} source={ratingSource} />;
}
