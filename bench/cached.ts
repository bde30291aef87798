import { flood } from './load.ts';
import { openBare, type Running } from './shop.ts';
import { median, type Row, ratio, whole } from './table.ts';

const SECONDS = 2;
const ROUNDS = 5;

/** Cached pages and JSON, each in turn with a bare server that sends the same bytes. */
export async function measureCached({ url }: Running): Promise<Row[]> {
  const { products } = (await (await fetch(`${url}/api/products`)).json()) as { products: { _id: string }[] };
  const id = products[0]?._id ?? '';
  const rows: Row[] = [];
  for (const path of ['/', '/shop', `/product/${id}`, '/api/products', `/api/products/${id}`]) {
    const bare = await openBare(url, path);
    const [answered, handed]: [number[], number[]] = [[], []];
    let p99 = 0;
    // The first of each warms up.
    await flood(url + path, 1);
    await flood(bare.url, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const went = await flood(url + path, SECONDS);
      answered.push(went.perSecond);
      p99 = Math.max(p99, went.p99);
      handed.push((await flood(bare.url, SECONDS)).perSecond);
    }
    await bare.stop();
    const [ours, limit] = [median(answered), median(handed)];
    rows.push([`\`${path.replace(id, '{id}')}\``, whole(ours), `${p99} ms`, whole(limit), ratio(ours / limit)]);
  }
  return rows;
}
