/**
 * `npm run game-day -- --faults 20 [--seed 1] [--only WORDS]`: the reference cluster of deploy/cluster in network namespaces of this machine (docs/cluster.md), people
 * who buy, pay, cancel, refund and edit, faults one after the other, and then an audit of what the shop has promised them. As root, on Linux. Everything
 * is in memory and in namespaces, which end with this program however it ends. A fault takes about half a minute.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fillStock, type Stock } from '#ops/drills/books.ts';
import { Buyers, diceOf, logIn, reachProducts } from '#ops/drills/buyers.ts';
import { quantile, Readers } from '#ops/drills/readers.ts';
import { connect } from '#server/platform/database/connect.ts';
import { eventually } from '#server/testing/eventually.ts';
import { auditCluster } from './audit.ts';
import { Databases, PASSWORD } from './cluster.ts';
import { anotherLeads, drawn, type Game } from './faults.ts';
import { checkPrograms, FILES, inNamespaces, layNetwork, run } from './hosts.ts';
import { startShops } from './shops.ts';
import { ADMIN, Staff, Writer } from './staff.ts';

const { values: options } = parseArgs({
  options: { faults: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const COUNT = Number(options.faults);
if (!(COUNT >= 1 && COUNT <= 1_000)) throw new Error('How many faults, from 1 to 1,000? npm run game-day -- --faults 20');
const [HEAL_SECONDS, SETTLE_MS] = [240, 3_000];
const say = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

interface Outcome {
  name: string;
  writes: string;
  /** The longest time without an acknowledged order, and the longest for which one page was asked for in vain, in ms. */
  noWrite: number;
  noRead: number;
  /** Until the cluster was whole again, in ms from the end of the fault. */
  healed: number;
}

/** The longest time between two of these moments from `from` to `to`, in ms. */
function longestGap(moments: readonly number[], from: number, to: number): number {
  let [last, longest] = [from, 0];
  for (const moment of [...moments.filter((one) => one > from && one < to).sort((a, b) => a - b), to]) {
    longest = Math.max(longest, moment - last);
    last = moment;
  }
  return longest;
}

interface People {
  buyers: Buyers;
  readers: Readers;
  writer: Writer;
}

/** Does the faults one after the other, each until the cluster is whole again. */
async function disturb(game: Game, { buyers, readers, writer }: People, wrong: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let n = 0;
  for (const faults of drawn(COUNT, game.dice, options.only)) {
    n += 1;
    const name = faults.map((fault) => fault.name).join(', and ');
    const leader = await game.databases.leader();
    const begun = Date.now();
    const ends: (() => unknown)[] = [];
    for (const fault of faults)
      await fault.begin(game).then(
        (end) => ends.push(end),
        (error: Error) => wrong.push(`${fault.name}: ${error.message}`),
      );
    if (faults.some(({ untilAnotherLeads }) => untilAnotherLeads))
      await anotherLeads(game.databases, leader).catch((error: Error) => wrong.push(`${name}: ${error.message}`));
    await setTimeout(1_000 * Math.max(...faults.map((fault) => fault.seconds)));
    for (const end of ends) await end();
    const ended = Date.now();
    try {
      await game.databases.healthy(HEAL_SECONDS);
      for (const shop of game.shops.hosts) await shop.isReady(60);
    } catch (error) {
      wrong.push(`after ${name} the cluster did not heal: ${(error as Error).message}`);
    }
    const healed = Date.now() - ended;
    for (const fault of await writer.check(game.shops.hosts.map(({ url }) => url))) wrong.push(`after ${name}: ${fault}`);
    const orders = buyers.answeredAt.length;
    await eventually(() => {
      if (buyers.answeredAt.length === orders) throw new Error('Nobody can order.');
    }, 60).catch((error: Error) => wrong.push(`after ${name}: ${error.message}`));
    const now = Date.now();
    const outcome = {
      name,
      writes: faults[0]?.writes ?? '',
      noWrite: longestGap(buyers.answeredAt, begun, now),
      noRead: readers.longestWait(begun, now),
      healed,
    };
    outcomes.push(outcome);
    say(
      `${n}/${COUNT} ${name}: no order for ${seconds(outcome.noWrite)}, no page for ${seconds(outcome.noRead)}, whole ${seconds(healed)} after its end`,
    );
    await setTimeout(SETTLE_MS);
  }
  return outcomes;
}

/** A line for each fault, and the figures of all. */
function report(outcomes: readonly Outcome[]): void {
  say('\n| fault | times | no order for, median / longest | no page for, longest | whole again after, longest |\n|---|---|---|---|---|');
  for (const name of [...new Set(outcomes.map((outcome) => outcome.name.split(', and ')[0] ?? ''))].sort()) {
    const of = outcomes.filter((outcome) => outcome.name.startsWith(name));
    const [noWrite, noRead, healed] = (['noWrite', 'noRead', 'healed'] as const).map((key) => of.map((outcome) => outcome[key]));
    say(
      `| ${name} | ${of.length} | ${seconds(quantile(noWrite ?? [], 0.5))} / ${seconds(Math.max(...(noWrite ?? [])))} | ${seconds(Math.max(...(noRead ?? [])))} | ${seconds(Math.max(...(healed ?? [])))} |`,
    );
  }
  const failOvers = outcomes.filter(({ writes }) => writes === 'fail-over').map(({ noWrite }) => noWrite);
  say(
    `\n${outcomes.length} faults. Orders were taken again after ${seconds(quantile(failOvers, 0.95))} at the 95th percentile of ${failOvers.length} fail-overs; pages were away for at most ${seconds(Math.max(...outcomes.map(({ noRead }) => noRead)))}.`,
  );
}

async function play(): Promise<string[]> {
  layNetwork();
  const databases = new Databases();
  await databases.boot();
  say(`three database hosts under Patroni ${databases.hosts[0]?.version}`);
  const shops = await startShops();
  (await databases.leader()).pgbackrest('--type=full', 'backup');
  say('two shop hosts; the first backup is made');
  const open = async () => {
    const leader = await databases.leader();
    return connect(`postgres://shop:${PASSWORD}@${leader.address}:5432/shop`, { max: 4 });
  };
  const before = await open();
  const stock: Stock = await fillStock(before.db);
  await before.close();
  const [edited, ...bought] = await eventually(() => reachProducts(shops.url, 4));
  if (!edited) throw new Error('The shop is empty.');
  const admin = await logIn(shops.url, ADMIN.email, ADMIN.password);
  const dice = diceOf(Number(options.seed));
  const buyers = new Buyers({ url: () => shops.url, products: bought }, diceOf(Number(options.seed) + 1));
  const staff = new Staff(shops.url, admin, buyers, diceOf(Number(options.seed) + 2));
  const writer = new Writer(shops.url, admin, edited);
  const readers = new Readers();
  await buyers.start(6, 1_000);
  readers.start(
    4,
    ['/', '/shop', '/newarrivals', `/product/${bought[0]?._id}`, '/api/products'].map((path) => shops.url + path),
    100,
  );
  staff.start(1_000);
  writer.start(500);
  await setTimeout(10_000);
  const wrong: string[] = [];
  const outcomes = await disturb({ databases, shops, dice }, { buyers, readers, writer }, wrong);
  await Promise.all([buyers.stop(), readers.stop(), staff.stop(), writer.stop()]);
  report(outcomes);
  const database = await open();
  const found = await auditCluster({ databases, shops, database, buyers, staff, writer, stock }, say);
  await database.close();
  return [...wrong, ...found];
}

/** Keeps the last lines of every program's output in /tmp, to find the cause of a failure. */
function keepOutput(): void {
  for (const file of run('sh', '-c', `ls ${FILES}/*.log`).trim().split('\n')) {
    run('sh', '-c', `tail -n 2000 ${file} > /tmp/game-day-${file.split('/').at(-1)}`);
  }
}

if (process.env.GAME_DAY_INSIDE) {
  const faults = await play().catch((error: Error) => [error.stack ?? String(error)]);
  if (faults.length > 0) keepOutput();
  say(
    faults.length === 0
      ? '\nNothing was lost.'
      : `\n${faults.length} faults (output of every program: /tmp/game-day-*.log):\n${faults.slice(0, 40).join('\n')}`,
  );
  process.exit(faults.length === 0 ? 0 : 1);
} else {
  checkPrograms();
  process.exit(await inNamespaces(process.argv.slice(1)));
}
