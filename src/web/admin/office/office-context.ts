import { createContext } from 'react';
import type { Reply } from '#contract/api.ts';

type Today = Reply<'GET /api/office/today'>;

interface Office {
  /** Counts of waiting work; undefined until loaded. */
  today: Today | undefined;
  error: string;
  /** Reloads the counts after a change. */
  recount: () => Promise<void>;
}

/** Provided by the layout to its pages. */
export const OfficeContext = createContext<Office>({ today: undefined, error: '', recount: async () => undefined });
