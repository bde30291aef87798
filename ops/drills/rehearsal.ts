/**
 * `npm run rehearsal [-- ROUNDS] [--from COMMIT] [--pooler]`: three processes behind nginx on a replicated database, each stopped and killed in turn while people
 * buy; then each becomes the next version, the one before again, and the next once more. The next version is this one with migrations made up
 * for it; with `--from`, the one before is that commit's and the next is this one. With `--pooler` all of them reach the database through PgBouncer. Loopback only, about three minutes a round.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrationsOf } from '#server/platform/database/migrate.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, diceOf, logIn, reachShop } from './buyers.ts';
import { Editor } from './editor.ts';
import { type Fleet, LIMIT_FACTOR, startFleet } from './fleet.ts';
import { quantile, Readers } from './readers.ts';
import { migrationsIn, type Releases } from './releases.ts';

const { values: options, positionals } = parseArgs({
  options: { from: { type: 'string' }, pooler: { type: 'boolean' } },
  allowPositionals: true,
});
const ROUNDS = Number(positionals[0] ?? 1);
if (!(ROUNDS >= 1 && ROUNDS <= 100)) throw new Error('How many rounds, from 1 to 100? npm run rehearsal -- 5');
const BETWEEN_MS = 3_000;
/** Wrong passwords that one network may try at one account. */
const GUESSES = LIMITS.login.pair * LIMIT_FACTOR;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const faults: string[] = [];
const check = (isRight: boolean, sentence: string) => void (isRight || faults.push(sentence));

/** Ends each process in turn, first as an upgrade does and then as a failing machine does, and starts it again. */
async function disturb({ shops, start, balancer }: Fleet, version: keyof Releases, token: string): Promise<number> {
  let disturbances = 0;
  for (const way of ['stop', 'kill'] as const) {
    for (const index of shops.keys()) {
      await setTimeout(BETWEEN_MS);
      const code = await shops[index]?.[way]();
      check(way === 'kill' || code === 0, `process ${index + 1} ended with ${code} when it was stopped`);
      say(`process ${index + 1}: ${way === 'stop' ? 'stopped, as for an upgrade' : 'killed'}`);
      await setTimeout(BETWEEN_MS / 2);
      const reply = await fetch(`${balancer}/api/orders/myorders`, { headers: { bearer: token } });
      check(reply.status === 200, `with a process gone a session was answered ${reply.status}`);
      await start(index, version);
      disturbances += 1;
    }
  }
  await setTimeout(BETWEEN_MS);
  return disturbances;
}

/** Ends each process in turn and starts it again as another version. */
async function replaceAll({ shops, start, balancer, running }: Fleet, version: keyof Releases, token: string): Promise<void> {
  for (const index of shops.keys()) {
    const code = await shops[index]?.stop();
    check(code === 0, `process ${index + 1} ended with ${code} when it was replaced`);
    await start(index, version);
    // Both versions answer now, on the same tables.
    for (const server of [balancer, ...running()]) {
      const reply = await fetch(`${server}/api/orders/myorders`, { headers: { bearer: token } });
      check(reply.status === 200, `beside the ${version} version a session was answered ${reply.status}`);
    }
    say(`process ${index + 1}: now of the ${version} version`);
    await setTimeout(BETWEEN_MS);
  }
}

/** Forward, back, and forward again, as an upgrade that went wrong and then right. */
async function changeVersions(fleet: Fleet, token: string): Promise<void> {
  const { old, new: next } = fleet.releases;
  const brought = migrationsIn(next).filter((name) => !migrationsIn(old).includes(name));
  for (const version of ['new', 'old', 'new'] as const) await replaceAll(fleet, version, token);
  const applied = await migrationsOf(fleet.database.db);
  check(
    brought.every((name) => applied.includes(name)),
    'the new version has not brought the tables up to date',
  );
  say(`${brought.length} migrations were applied while people bought`);
}

/** A session opens, and once ended no longer opens, every process. */
async function checkSessions({ balancer, running }: Fleet): Promise<void> {
  const token = await logIn(balancer, 'customer@example.com', 'Customer123!');
  const statuses = () =>
    Promise.all(running().map(async (server) => (await fetch(`${server}/api/orders/myorders`, { headers: { bearer: token } })).status));
  check(
    (await statuses()).every((status) => status === 200),
    'a session does not open every process',
  );
  await fetch(`${balancer}/api/users/logout`, { method: 'POST', headers: { bearer: token } });
  check(
    (await statuses()).every((status) => status === 401),
    'a session that was ended still opens a process',
  );
}

/** Tries a wrong password at all processes in turn; returns how often it was heard before the shop said 429. */
async function checkLimits({ running }: Fleet): Promise<number> {
  let heard = 0;
  for (let n = 0; n < GUESSES + 20; n += 1) {
    const server = running()[n % running().length];
    const body = JSON.stringify({ email: 'admin@example.com', password: `wrong ${n}` });
    const reply = await fetch(`${server}/api/users/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (reply.status === 401) heard += 1;
    else check(reply.status === 429, `a wrong password was answered ${reply.status}`);
  }
  check(heard <= GUESSES, `${heard} wrong passwords were heard over all processes, ${GUESSES} are allowed`);
  return heard;
}

/** How many statements each replica has answered, its own housekeeping included. */
const replicaReads = ({ replicas }: Fleet): Promise<number[]> =>
  Promise.all(
    replicas.map(async ({ pool }) => {
      const { rows } = await pool.query('select xact_commit as n from pg_stat_database where datname = current_database()');
      return Number(rows[0]?.n);
    }),
  );

async function rehearse(fleet: Fleet): Promise<void> {
  const { balancer, database, payments, mail } = fleet;
  const stock = await fillStock(database.db);
  const target = await reachShop(() => balancer);
  const [edited, ...bought] = target.products;
  if (!edited) throw new Error('The shop is empty.');
  const customer = await logIn(balancer, 'customer@example.com', 'Customer123!');
  const admin = await logIn(balancer, 'admin@example.com', 'Admin123!');
  const buyers = new Buyers({ ...target, products: bought }, diceOf(1));
  const readers = new Readers();
  const editor = new Editor(balancer, admin, edited, fleet.running);
  const readBefore = await replicaReads(fleet);
  const start = Date.now();
  await buyers.start(6, 100);
  readers.start(
    4,
    ['/', '/shop', '/newarrivals', `/product/${edited._id}`, '/shop?query=Sofa', '/api/products'].map((path) => balancer + path),
    20,
  );
  editor.start();
  let disturbances = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    disturbances += await disturb(fleet, round === 1 ? 'old' : 'new', customer);
    await changeVersions(fleet, customer);
  }
  await Promise.all([buyers.stop(), readers.stop(), editor.stop()]);
  const seconds = Math.round((Date.now() - start) / 1_000);
  await checkSessions(fleet);
  const heard = await checkLimits(fleet);
  const read = (await replicaReads(fleet)).map((now, n) => now - (readBefore[n] ?? 0));
  check(
    read.every((count) => count > 0),
    'nothing was read on a replica',
  );
  await finishJobs(database.db);
  faults.push(...(await audit({ db: database.db, buyers, payments, stock, mail })), ...editor.faults);
  faults.push(...new Set(readers.failures.map((failure) => `a page was answered ${failure}`)));
  say(`
${disturbances} disturbances in ${seconds} s of load, half of them stops and half kills, each process started again; ${3 * fleet.shops.length * ROUNDS} changes of version: forward, back, forward
${buyers.acknowledged.size} cash orders acknowledged, ${buyers.paid.size} payments; ${buyers.interrupted} order requests interrupted and sent again
${readers.served} pages and lists served, ${readers.failures.length} failed; p50 ${quantile(readers.latencies, 0.5).toFixed(0)} ms, p99 ${quantile(readers.latencies, 0.99).toFixed(0)} ms
${editor.changes} catalogue changes, seen by every process after p50 ${quantile(editor.delays, 0.5).toFixed(0)} ms, at most ${Math.max(...editor.delays).toFixed(0)} ms
${read.join(' and ')} transactions on the replicas; ${heard} wrong passwords heard over three processes (${GUESSES} allowed)`);
}

const fleet = await startFleet(options);
try {
  await rehearse(fleet);
} finally {
  await fleet.stop();
}
say(faults.length === 0 ? '\nNothing was lost.' : `\n${faults.length} faults:\n${faults.slice(0, 30).join('\n')}`);
process.exit(faults.length === 0 ? 0 : 1);
