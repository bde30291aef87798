import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Config, readConfig } from '#server/config.ts';
import { backupLines, type Line, type Totals } from '#server/db/backup.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { reachEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { restoreLines } from '#server/db/restore.ts';
import { type Pictures, pictureStore } from '#server/gateways/pictures.ts';

const USAGE = `Usage:
  npm run backup -- FILE     writes the database and all pictures into a new file; the shop may go on meanwhile
  npm run restore -- FILE    brings them back, into an empty database

The database is that of DATABASE_URL, else the embedded one under SHOP_DATA_DIR; pictures are where the settings say.
The file holds personal data: only its owner can read it.
`;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const totalsText = ({ rows, jobs, pictures }: Totals) => `${rows} rows, ${jobs} waiting jobs, ${pictures} pictures`;

/** Opens the database and the picture store that the shop uses, for as long as `work` takes. */
async function withShop<T>(config: Config, work: (database: Database, pictures: Pictures) => Promise<T>): Promise<T> {
  const embedded = config.databaseUrl ? undefined : await reachEmbedded(join(config.dataDir, 'postgres'));
  const database = connect(config.databaseUrl ?? embedded?.url ?? '', { max: 4 });
  try {
    return await work(database, pictureStore(config));
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

/** Writes beside the file first, so that one with its name is always whole and on the disk. */
async function backup(config: Config, file: string): Promise<Totals> {
  if (existsSync(file)) throw new Error(`${file} is there already. Choose another name.`);
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres')))
    throw new Error('There is no shop here. Set SHOP_DATA_DIR or DATABASE_URL.');
  const part = `${file}.part`;
  let totals: Totals | undefined;
  try {
    await withShop(config, async (database, pictures) => {
      await migrate(database);
      async function* texts() {
        for await (const line of backupLines(database, pictures)) {
          if ('end' in line) totals = line.end;
          yield `${JSON.stringify(line)}\n`;
        }
      }
      await pipeline(Readable.from(texts()), createGzip(), createWriteStream(part, { mode: 0o600 }));
    });
    const written = await open(part, 'r+');
    await written.sync();
    await written.close();
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
  return totals ?? { rows: 0, jobs: 0, pictures: 0 };
}

async function* readLines(file: string): AsyncGenerator<Line> {
  const unpacked = createReadStream(file)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(createGunzip());
  const broken = new Promise<never>((_, reject) => unpacked.once('error', reject));
  broken.catch(() => undefined);
  const lines = createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), broken]);
    if (done) return;
    yield JSON.parse(value) as Line;
  }
}

async function run(): Promise<void> {
  const [command, file, ...rest] = process.argv.slice(2);
  if (!file || rest.length > 0 || !['backup', 'restore'].includes(command ?? '')) throw new Error(USAGE);
  const config = readConfig(process.env);
  if (command === 'backup') return say(`${file} holds ${totalsText(await backup(config, file))}.`);
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const totals = await withShop(config, (database, pictures) => restoreLines(database, pictures, readLines(file)));
  say(`Restored ${totalsText(totals)}.`);
}

try {
  await run();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code?.startsWith('Z_') || error instanceof SyntaxError ? 'The file is damaged. Nothing was restored.' : message || code;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
