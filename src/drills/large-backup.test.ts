import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { pictureStore } from '#server/gateways/pictures.ts';
import { type Ending, runCommand } from '#server/testing/commands.ts';
import { emptyDatabase, testDatabase } from '#server/testing/harness.ts';

const MB = Number(process.env.BACKUP_MB ?? 120);
const PICTURE_MB = 4;
const JOB_KB = 20;
/** JavaScript's own memory that each command gets: a fraction of what it moves. */
const HEAP_MB = Math.max(64, Math.round(MB / 2));
const REPORT = "process.on('exit',()=>process.stderr.write('peak '+Math.round(process.resourceUsage().maxRSS/1024)+' MB'))";
const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --import=data:text/javascript,${encodeURIComponent(REPORT)}`;

/** Four fifths in pictures that cannot be packed any smaller, the rest in jobs that wait. */
async function fill(db: Awaited<ReturnType<typeof testDatabase>>['db'], dataDir: string): Promise<number> {
  const pictures = Math.round((MB * 0.8) / PICTURE_MB);
  const store = pictureStore({ s3: undefined, dataDir });
  for (let n = 0; n < pictures; n += 1) await store.keep(randomBytes(PICTURE_MB * 1024 * 1024));
  const jobs = Math.round((MB * 0.2 * 1024) / JOB_KB);
  await sql`select graphile_worker.add_job('sendMail', json_build_object('text', repeat(md5(n::text), ${(JOB_KB * 1024) / 32}::int)))
    from generate_series(1, ${jobs}::int) as n`.execute(db);
  return pictures;
}

test(
  `${MB} MB are backed up, checked and restored with ${HEAP_MB} MB of memory`,
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'shop-large-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const [source, place] = [await testDatabase(), await emptyDatabase()];
    const pictures = await fill(source.db, join(dir, 'from'));
    const file = join(dir, 'large.backup');
    const run = async (args: string[], url: string, data: string): Promise<Ending> => {
      const start = performance.now();
      const ending = await runCommand(
        'backup',
        args,
        { DATABASE_URL: url, SHOP_DATA_DIR: join(dir, data), NODE_OPTIONS },
        { seconds: 60 + MB },
      );
      expect(ending).toEqual({
        code: 0,
        output: expect.stringContaining(`${pictures} pictures`),
        complaint: expect.stringMatching(/^peak \d+ MB$/),
      });
      process.stdout.write(`${args[0]} of ${MB} MB: ${ending.complaint}, ${((performance.now() - start) / 1_000).toFixed(1)} s\n`);
      return ending;
    };
    await run(['backup', file], source.url, 'from');
    expect((await stat(file)).size).toBeGreaterThan(MB * 0.8 * 1024 * 1024);
    await run(['restore', file], place.url, 'to');
  },
  60_000 + MB * 1_000,
);
