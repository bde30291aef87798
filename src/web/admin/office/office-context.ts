import { createContext, useContext } from 'react';
import type { Right } from '#contract/accounts/roles.ts';
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

/** Whether the role has a right. Before that is known it counts as given, since most people may do most things; the server decides. */
export function useMay(right: Right): boolean {
  const { today } = useContext(OfficeContext);
  return today?.rights.includes(right) ?? true;
}
