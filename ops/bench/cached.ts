import { type LoadResult, load } from './load.ts';
import { openBare, type Running } from './shop.ts';
import { median, micros, type Row, ratio, whole } from './table.ts';

const SECONDS = 2;
const ROUNDS = 5;
const CONNECTIONS = 20;
/** Node compiles a path once more when it has been taken some ten thousand times. */
const WARM_UP_SECONDS = 8;

/** The middle of several rounds. */
const middle = (rounds: LoadResult[], figure: (result: LoadResult) => number) => median(rounds.map(figure));

/** Cached pages and JSON, each in turn with a bare server that sends the same bytes. */
export async function measureCached(shop: Running): Promise<Row[]> {
  const { products } = (await (await fetch(`${shop.url}/api/products`)).json()) as { products: { _id: string }[] };
  const id = products[0]?._id ?? '';
  const rows: Row[] = [];
  for (const path of ['/', '/shop', `/product/${id}`, '/api/products', `/api/products/${id}`]) {
    const bare = await openBare(shop.url, path);
    const [ours, limit]: [LoadResult[], LoadResult[]] = [[], []];
    for (const server of [shop, bare]) await load(server, [{ path }], CONNECTIONS, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await load(shop, [{ path }], CONNECTIONS, SECONDS));
      limit.push(await load(bare, [{ path }], CONNECTIONS, SECONDS));
    }
    await bare.stop();
    const cpu = [ours, limit].map((rounds) => middle(rounds, (result) => result.cpu.server)) as [number, number];
    const speed = [ours, limit].map((rounds) => middle(rounds, (result) => result.perSecond)) as [number, number];
    const p99 = Math.max(...ours.map((result) => result.p99));
    rows.push([
      `\`${path.replace(id, '{id}')}\``,
      whole(speed[0]),
      `${p99.toFixed(1)} ms`,
      micros(cpu[0]),
      whole(speed[1]),
      micros(cpu[1]),
      ratio(speed[0] / speed[1]),
      ratio(cpu[1] / cpu[0]),
    ]);
  }
  return rows;
}
