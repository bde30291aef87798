import { useLoaded } from '#web/state/use-loaded.ts';
import { MOST_RECOMMENDED, RECOMMENDED } from './recommended-query.ts';
import { RecommendedRow } from './recommended-row.tsx';

/** Recommended pieces that the browser loads. */
export function Recommended() {
  const { value, error } = useLoaded('GET /api/products', RECOMMENDED);
  return error ? null : <RecommendedRow pieces={value?.products.slice(0, MOST_RECOMMENDED)} />;
}
