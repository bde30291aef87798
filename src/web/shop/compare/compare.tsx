import { useSearchParams } from 'react-router';
import { useIsBrowser } from '#web/browser/browser-storage.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { keptCompared } from './compared.ts';

const CompareOverlay = lazyPart(async () => (await import('./compare-overlay.tsx')).CompareOverlay);

/** The comparison on the shop page: a bar with the chosen products, and an overlay if the URL has `compare`. `list` is the URL of the list beneath. */
export function Compare({ list }: { list: string }) {
  const isBrowser = useIsBrowser();
  const [search] = useSearchParams();
  const chosen = useStoredValue(keptCompared) ?? [];
  const parameter = isBrowser ? search.get('compare') : null;
  if (!parameter && chosen.length === 0) return null;
  return <CompareOverlay list={list} parameter={parameter ?? ''} chosen={chosen} />;
}
