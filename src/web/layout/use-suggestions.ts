import { useEffect, useState } from 'react';
import type { Suggestions } from '#contract/catalogue/catalogue.ts';
import { urlOf } from '#contract/platform/endpoint.ts';

/**
 * Suggestions for a text being typed; undefined until the first answer. The next letter cancels the request, and the old answer stays until
 * the new one. Sent without the session.
 */
export function useSuggestions(search: string): Suggestions | undefined {
  const [suggestions, setSuggestions] = useState<Suggestions>();
  useEffect(() => {
    if (search === '') return setSuggestions(undefined);
    const controller = new AbortController();
    void fetch(urlOf('GET /api/products/suggestions', { query: { search } }), { signal: controller.signal })
      .then((reply) => (reply.ok ? (reply.json() as Promise<Suggestions>) : undefined))
      // Suggestions are optional: the search itself reports errors.
      .catch(() => undefined)
      .then((found) => controller.signal.aborted || setSuggestions(found));
    return () => controller.abort();
  }, [search]);
  return suggestions;
}
