import { laterPart } from '#web/parts/later.tsx';

/** The disclosure sections open and close without scripts; their code is sent for when something is chosen that they show. */
export const sections = laterPart(() => import('./sections.tsx').then(({ Sections }) => Sections), 'touched');
