import { readCsv } from '#server/platform/csv.ts';

/** All rows of a CSV. */
export async function parseCsv(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { cells } of readCsv(text)) rows.push(cells);
  return rows;
}
