/**
 * `npm run bench`: measures the production build on this machine, each figure beside its limit in the same run. `npm run bench -- --quick` grows
 * to 100,000 products instead of a million. It takes some minutes, most of them for making the large shop, and wants the machine for itself.
 */

import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { newFolder } from '#server/testing/new-folder.ts';
import { measureCached } from './cached.ts';
import { measureGrowth } from './growth.ts';
import { hasWrk } from './load.ts';
import { measureOrders } from './orders.ts';
import { memoryOf, openShop } from './shop.ts';
import { printTable, whole } from './table.ts';

const large = process.argv.includes('--quick') ? 100_000 : 1_000_000;

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version.slice(1)}`);
if (!hasWrk) console.log('wrk is not installed: autocannon sends the requests, and is itself the limit where the shop is fast.');

const dir = newFolder('bench');
const first = await openShop(dir);
await first.stop();
const shop = await openShop(dir);
const idle = memoryOf(shop);
const cached = await measureCached(shop);
const loaded = memoryOf(shop);
await shop.stop();
rmSync(dir, { recursive: true, force: true });
printTable(['cached', 'requests/s', 'p99', 'CPU a request', 'bare `node:http`', 'its CPU', 'ratio', 'ratio by CPU'], cached);

const { rows, seconds } = await measureGrowth([10_000, large]);
printTable(
  ['not cached', 'products', 'requests/s', 'p50', 'p99', 'CPU server', 'CPU database', 'growth', 'first time, p50 / slowest'],
  rows,
);
const orders = await measureOrders();
printTable(['', 'orders/s', 'CPU server', 'CPU database', '`pgbench`', 'ratio'], orders.rows);
printTable(
  ['', 'measured', 'limit'],
  [
    ['first start: database made, demo loaded', `${whole(first.ms)} ms`, '5,000 ms'],
    ['second start', `${whole(shop.ms)} ms`, '2,000 ms'],
    ['memory idle', `${whole(idle)} MB`, '200 MB'],
    ['memory after cached reads', `${whole(loaded)} MB`, '250 MB'],
    ['memory after orders, all pictures and reads', `${whole(orders.memory)} MB`, '250 MB'],
    [`making 10,000 and ${whole(large)} products`, `${whole(seconds)} s`, ''],
  ],
);
