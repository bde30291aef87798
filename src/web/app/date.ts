/** `2026-11-21T10:00:00.000Z` → `2026-11-21` (specification §9). */
export function day(iso: string): string {
  return iso.slice(0, 10);
}
