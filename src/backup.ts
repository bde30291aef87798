import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { JOBS } from '#server/app/jobs.ts';
import { backupLines, type Totals } from '#server/backup/backup.ts';
import { readSealed, sealLines } from '#server/backup/backup-file.ts';
import { checkLines, restoreLines } from '#server/backup/restore.ts';
import { differencesOf, differencesText, takeBackProducts } from '#server/backup/take-back.ts';
import { momentOf, rehearseRestore, restoreMoment } from '#server/backup/wal/restore-moment.ts';
import { BACKUP_CHECK, recordWorking } from '#server/context/setup-checks.ts';
import { type Pictures, pictureStore } from '#server/gateways/pictures.ts';
import { runCommandLine, say } from '#server/platform/command.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { withAnyDatabase, withDatabase } from '#server/platform/database/with-database.ts';
import { type Config, readConfig } from '#server/platform/settings/config.ts';

const USAGE = `Usage:
  npm run backup -- FILE            writes the database and all pictures into a new file; the shop may go on meanwhile
  npm run backup -- --verify FILE   reads such a file to its end and says whether it is whole
  npm run restore -- FILE           brings everything back, into an empty database
  npm run restore -- --at MOMENT    brings back a moment from BACKUP_WAL, into a new SHOP_DATA_DIR: "2026-11-23 12:02:59" by the shop's clock, or latest
  npm run restore -- --compare COPY says which products of the shop differ from a copy, and which orders came since; COPY is the folder into which it was
                                    restored, or the address of its PostgreSQL (postgres://…)
  npm run restore -- --take-back COPY  gives these products back what they had; orders, stock and everything else stay
  npm run restore -- --rehearse     tries that with the last moment, checks the books, and removes it again

  --pictures FOLDER                 with each of them: pictures are not in the file but in this folder, where a backup adds only those that it
                                    lacks; all backups of a shop may share one

The database is that of DATABASE_URL, else the embedded one under SHOP_DATA_DIR; pictures are where the settings say.
The file holds personal data: only its owner can read it.
`;

const totalsText = ({ rows, jobs, pictures }: Totals) => `${rows} rows, ${jobs} waiting jobs, ${pictures} pictures`;

/** The pictures that are kept apart from a backup, in a folder like a shop's own. */
const picturesIn = (folder: string): Pictures => pictureStore({ s3: undefined, dataDir: folder });

/** Writes to a `.part` file first, so that a file with the final name is always complete and on the disk. */
async function backup(config: Config, file: string, apart: Pictures | undefined): Promise<Totals> {
  if (existsSync(file)) throw new Error(`${file} already exists. Choose another name.`);
  const part = `${file}.part`;
  try {
    const { totals } = await withDatabase(config, async (database) => {
      const text = sealLines(backupLines(database, pictureStore(config), apart));
      await pipeline(Readable.from(text), createGzip(), createWriteStream(part, { mode: 0o600 }));
      const checked = await verify(part, apart);
      await recordBackup(database);
      return checked;
    });
    const written = await open(part, 'r+');
    await written.sync();
    await written.close();
    await rename(part, file);
    return totals;
  } finally {
    await rm(part, { force: true });
  }
}

/** For “Before you open” in the settings. Best effort: a database that can only be read is backed up just as well. */
const recordBackup = ({ db }: Database) => recordWorking(db, BACKUP_CHECK).catch(() => undefined);

/** Reads a backup from its beginning to its end, and returns what it holds; nothing is written. */
const verify = (file: string, apart: Pictures | undefined) => checkLines(readSealed(file), apart);

/** Reads the file twice, so that all its faults are known before anything is written. */
async function restore(config: Config, file: string, apart: Pictures | undefined): Promise<Totals> {
  const pictures = pictureStore(config);
  const { isApart } = await verify(file, apart);
  // Without their folder the shop must still have its pictures itself, such as in object storage.
  if (isApart && !apart) await verify(file, pictures).catch(() => refuseWithoutPictures(file));
  return withAnyDatabase(config, (database) => restoreLines(database, pictures, readSealed(file), JOBS, apart), { mayBeNew: true });
}

function refuseWithoutPictures(file: string): never {
  throw new Error(`The pictures of ${file} are kept apart from it. Name their folder: --pictures FOLDER. Nothing was restored.`);
}

/** Restores a moment from the archive; without one, rehearses that with the latest. */
async function restoreFromArchive(config: Config, at: string | undefined): Promise<void> {
  if (at === undefined) {
    const reached = await rehearseRestore(config);
    await withDatabase(config, recordBackup);
    return say(`Restored as of ${reached.toISOString()}; its books are right. It was removed again.`);
  }
  const reached = await restoreMoment(config, momentOf(at));
  say(`Restored into ${config.dataDir} as of ${reached.toISOString()}. Its backups need a BACKUP_WAL of their own.`);
}

/** A restored copy: a folder of the embedded database, or a PostgreSQL that pgBackRest has restored. */
const databaseOf = (copy: string) =>
  /^postgres(ql)?:\/\//.test(copy) ? { databaseUrl: copy, dataDir: '' } : { databaseUrl: undefined, dataDir: copy };

/** Compares the shop with a restored copy. With `takesBack`, restores its products from the copy. */
async function compare(config: Config, copy: string, takesBack: boolean): Promise<void> {
  await withDatabase(config, (live) =>
    withDatabase(databaseOf(copy), async (earlier) => {
      say(differencesText(await differencesOf(live.db, earlier.db)));
      if (takesBack) say(`${await takeBackProducts(live.db, earlier.db)} products have been taken back.`);
    }),
  );
}

async function run(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const options = { verify: flag, help: flag, rehearse: flag, at: text, compare: text, 'take-back': text, pictures: text } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return say(USAGE);
  const [command, file, ...rest] = positionals;
  if (command === 'restore' && !file && (values.at || values.rehearse)) return restoreFromArchive(readConfig(process.env), values.at);
  const copy = values['take-back'] ?? values.compare;
  if (command === 'restore' && !file && copy) return compare(readConfig(process.env), copy, values['take-back'] !== undefined);
  if (!file || rest.length > 0 || !['backup', 'restore'].includes(command ?? '')) throw new Error(USAGE);
  const config = readConfig(process.env);
  const apart = values.pictures ? picturesIn(values.pictures) : undefined;
  if (command === 'backup' && !values.verify) return say(`${file} holds ${totalsText(await backup(config, file, apart))}.`);
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  if (command === 'restore' && !values.verify) return say(`Restored ${totalsText(await restore(config, file, apart))}.`);
  const { head, totals, isApart } = await verify(file, apart);
  const where = isApart && !apart ? ' (kept apart, and not looked at: --pictures FOLDER)' : '';
  say(`${file} is whole: ${totalsText(totals)}${where}, as of ${head.madeAt}.`);
}

await runCommandLine(run, USAGE);
