import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { quote, tablesOf } from '#server/backup/backup.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { generate } from '#server/generator/generate.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { type Ending, runCommand } from '#server/testing/commands.ts';
import { emptyDatabase, testDatabase } from '#server/testing/harness.ts';

/** The shop that is backed up. At the size of docs/reliability.md: BACKUP_ORDERS=1000000 BACKUP_PICTURES=20000 BACKUP_HEAP_MB=256. */
const ORDERS = Number(process.env.BACKUP_ORDERS ?? 3_000);
const PICTURES = Number(process.env.BACKUP_PICTURES ?? 800);
const PICTURE_KB = 60;
const JOBS = 1_000;
const JOB_KB = 20;
/** The heap of each command, which is smaller than the data that it moves. */
const HEAP_MB = Number(process.env.BACKUP_HEAP_MB ?? 64);
/** More than a busy machine needs for either command. */
const SECONDS = 120 + ORDERS / 200 + PICTURES / 10;
const REPORT = "process.on('exit',()=>process.stderr.write('peak '+Math.round(process.resourceUsage().maxRSS/1024)+' MB'))";
const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --import=data:text/javascript,${encodeURIComponent(REPORT)}`;

/** Orders, jobs that wait, and pictures that cannot be packed any smaller. */
async function fill({ db, pool }: Awaited<ReturnType<typeof testDatabase>>, dataDir: string): Promise<void> {
  await generate(pool, { products: 100, orders: ORDERS, seed: 1 });
  const store = pictureStore({ s3: undefined, dataDir });
  for (let n = 0; n < PICTURES; n += 1) await store.keep(randomBytes(PICTURE_KB * 1024));
  await sql`insert into jobs (name, payload) select 'sendMail', jsonb_build_object('text', repeat(md5(n::text), ${(JOB_KB * 1024) / 32}::int))
    from generate_series(1, ${JOBS}::int) as n`.execute(db);
}

/** How many rows each table has. */
async function countsOf({ pool }: Database): Promise<Record<string, number>> {
  const client = await pool.connect();
  try {
    const counts: Record<string, number> = {};
    for (const table of await tablesOf(client))
      counts[table] = Number((await client.query(`select count(*) as n from public.${quote(table)}`)).rows[0]?.n);
    return counts;
  } finally {
    client.release();
  }
}

test(
  `${ORDERS} orders and ${PICTURES} pictures are backed up, checked and restored with ${HEAP_MB} MB of memory, in one file and apart`,
  async () => {
    const dir = aFolder('large');
    const [source, target] = [await testDatabase(), await emptyDatabase()];
    await fill(source, join(dir, 'from'));
    const [file, small, pictures] = [join(dir, 'large.backup'), join(dir, 'small.backup'), join(dir, 'pictures')];
    const run = async (args: string[], url: string, data: string): Promise<Ending> => {
      const start = performance.now();
      const env = { DATABASE_URL: url, SHOP_DATA_DIR: join(dir, data), NODE_OPTIONS };
      const ending = await runCommand('backup', args, env, { seconds: SECONDS });
      expect(ending).toEqual({
        code: 0,
        output: expect.stringContaining(`${PICTURES} pictures`),
        complaint: expect.stringMatching(/^peak \d+ MB$/),
      });
      process.stdout.write(
        `${args[0]}${args[2] ? ' with pictures apart' : ''}: ${ending.complaint}, ${((performance.now() - start) / 1_000).toFixed(1)} s\n`,
      );
      return ending;
    };
    await run(['backup', file], source.url, 'from');
    await run(['backup', small, '--pictures', pictures], source.url, 'from');
    expect((await stat(file)).size - (await stat(small)).size).toBeGreaterThan(PICTURES * PICTURE_KB * 1024 * 0.9);
    await run(['restore', file], target.url, 'to');
    expect(await countsOf(target)).toEqual(await countsOf(source));
    const kept = pictureStore({ s3: undefined, dataDir: join(dir, 'to') });
    expect(await kept.list(new Date(Date.now() + 60_000))).toHaveLength(PICTURES);
  },
  5 * SECONDS * 1_000,
);
