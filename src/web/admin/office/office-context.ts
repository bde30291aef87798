import { createContext } from 'react';
import type { Reply } from '#contract/api.ts';

type Today = Reply<'GET /api/office/today'>;

interface Office {
  /** What waits for a person; undefined until it is loaded. */
  today: Today | undefined;
  error: string;
  /** Counts again, after a change that may have moved something. */
  recount: () => Promise<void>;
}

/** Of the layout, for its pages. */
export const OfficeContext = createContext<Office>({ today: undefined, error: '', recount: async () => undefined });
