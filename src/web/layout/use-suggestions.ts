import { useEffect, useState } from 'react';
import type { Suggestions } from '#contract/catalogue/catalogue.ts';
import { urlOf } from '#contract/platform/endpoint.ts';

/**
 * What a search that is being typed may mean; undefined until the first answer. The next letter cancels the question for the one before, and the
 * answer before stays until the new one is there, so that nothing flickers. Nobody's session is sent: only the text is.
 */
export function useSuggestions(search: string): Suggestions | undefined {
  const [suggestions, setSuggestions] = useState<Suggestions>();
  useEffect(() => {
    if (search === '') return setSuggestions(undefined);
    const controller = new AbortController();
    void fetch(urlOf('GET /api/products/suggestions', { query: { search } }), { signal: controller.signal })
      .then((reply) => (reply.ok ? (reply.json() as Promise<Suggestions>) : undefined))
      // Suggestions are a help: without them, or without a line, the search itself still says what is wrong.
      .catch(() => undefined)
      .then((found) => controller.signal.aborted || setSuggestions(found));
    return () => controller.abort();
  }, [search]);
  return suggestions;
}
