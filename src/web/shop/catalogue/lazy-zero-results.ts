import { lazyPart } from '#web/parts/lazy-part.tsx';
import type { ZeroResultsProps } from './zero-results.tsx';

/** What stands in the place of an empty list. */
export const lazyZeroResults = lazyPart<ZeroResultsProps>(async () => (await import('./zero-results.tsx')).ZeroResults);
