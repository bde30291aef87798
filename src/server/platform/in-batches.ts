/** Rows held in memory at a time, by default. */
const BATCH = 500;

/**
 * All rows of a query in batches (keyset pagination): `read` starts after the last row of the batch before. It must not drop rows: a batch
 * below the limit is taken for the last. The last one may be empty.
 */
export async function* inBatches<Key, Row extends Key>(
  read: (lastRow: Key | undefined, limit: number) => Promise<Row[]>,
  batch = BATCH,
): AsyncGenerator<Row[]> {
  let lastRow: Key | undefined;
  for (;;) {
    const rows = await read(lastRow, batch);
    yield rows;
    lastRow = rows.at(-1);
    if (rows.length < batch) return;
  }
}
