import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { hasCluster } from '#server/platform/database/embedded/cluster.ts';
import { claim, release } from '#server/platform/database/embedded/folder-lock.ts';
import { findFolder, handOver, type Installation, withPrograms } from '#server/platform/database/embedded/installation.ts';
import { Server } from '#server/platform/database/embedded/server.ts';
import { type Archive, readText } from './archive.ts';
import { type Base, partKey, readBases } from './base.ts';
import { isSince, pieceOf, SEGMENT } from './segments.ts';

/** Folders that a base backup leaves out and PostgreSQL requires. */
const EMPTY_FOLDERS = [
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
/** Attempts to start PostgreSQL: another program may take its port. */
const ATTEMPTS = 3;
/** PostgreSQL's message if no transaction in the WAL is later than the chosen moment. */
const NOTHING_LATER = 'recovery ended before configured recovery target was reached';

/** The first and last moment that an archive can restore. Throws an Error for the operator if it has no base backup. */
export async function momentsOf(archive: Archive): Promise<{ first: Date; last: Date; bases: Map<string, Base> }> {
  const bases = await readBases(archive);
  const [oldestBase] = bases.values();
  // The moment up to which the WAL is archived.
  const latestAt = await readText(archive, 'latest/at');
  if (!oldestBase || !latestAt) throw new Error('There is no complete base backup in the archive.');
  return { first: new Date(oldestBase.finishedAt), last: new Date(latestAt), bases };
}

const damaged = (name: string) =>
  new Error(`The base backup ${name} is damaged. Try a moment before it, for which an earlier one is used.`);

async function* partsOf(archive: Archive, name: string, { parts, sha256 }: Base): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for (let part = 0; part < parts; part += 1) {
    for await (const piece of await archive.read(partKey(name, part))) {
      hash.update(piece as Buffer);
      yield piece as Buffer;
    }
  }
  if (hash.digest('hex') !== sha256) throw damaged(name);
}

/** Unpacks a base backup into the folder of a database. */
async function unpack(archive: Archive, name: string, base: Base, { data, account }: Installation): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  handOver(data, account);
  const makeFolder = async (path: string) => {
    await mkdir(join(data, path), { recursive: true, mode: 0o700 });
    handOver(join(data, path), account);
  };
  const tar = extract();
  const writeEntries = async () => {
    for await (const entry of tar) {
      const path = join(data, entry.header.name);
      if (entry.header.type === 'directory') {
        await makeFolder(entry.header.name);
        entry.resume();
      } else {
        await pipeline(entry, createWriteStream(path, { mode: 0o600 }));
        handOver(path, account);
      }
    }
  };
  try {
    await Promise.all([pipeline(Readable.from(partsOf(archive, name, base)), createGunzip(), tar), writeEntries()]);
  } catch (error) {
    throw Object.assign(damaged(name), { cause: error });
  }
  for (const path of EMPTY_FOLDERS) await makeFolder(path);
}

/** Puts the archived WAL since a base backup where PostgreSQL looks for it. */
async function bringWal(archive: Archive, start: string, { data, account }: Installation): Promise<void> {
  const write = async (name: string, bytes: Buffer) => {
    const file = join(data, 'pg_wal', name);
    await writeFile(file, bytes, { mode: 0o600 });
    handOver(file, account);
  };
  const pieces = (await archive.list('wal')).flatMap((key) => ({ key, ...pieceOf(key) }));
  for (const segment of new Set(pieces.map((piece) => piece.segment))) {
    if (!segment || !isSince(segment, start)) continue;
    const bytes = Buffer.alloc(SEGMENT);
    for (const { key, offset } of pieces.filter((piece) => piece.segment === segment))
      gunzipSync(await buffer(await archive.read(key))).copy(bytes, offset);
    await write(segment, bytes);
  }
  for (const key of await archive.list('history')) await write(key.slice('history/'.length), await buffer(await archive.read(key)));
}

async function bringFiles(archive: Archive, [name, base]: [string, Base], installation: Installation): Promise<void> {
  await unpack(archive, name, base, installation);
  await bringWal(archive, base.start, installation);
  const signal = join(installation.data, 'recovery.signal');
  await writeFile(signal, '');
  handOver(signal, installation.account);
}

/** Starts PostgreSQL, which replays the WAL up to a moment or its end, then stops it. */
async function replay(installation: Installation, at: Date | undefined): Promise<void> {
  const settings = {
    // All archived WAL is in pg_wal already, but PostgreSQL requires a command.
    restore_command: 'exit 1',
    // No connections before the moment is reached.
    hot_standby: 'off',
    recovery_target_action: 'promote',
    ...(at && { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00') }),
  };
  const server = new Server(installation, settings, () => undefined);
  try {
    await server.start(ATTEMPTS);
  } catch (error) {
    // No transaction is later than the moment, so the end of the WAL is the same state.
    if (at && (error as Error).message.includes(NOTHING_LATER)) return replay(installation, undefined);
    throw error;
  } finally {
    await server.stop();
  }
}

/**
 * Restores an embedded database into a new folder as it was at a moment, by default the archive's last. Returns the moment. Throws an Error for the operator if the
 * folder has a database, or if the archive does not hold the moment.
 */
export async function recover(dataDir: string, archive: Archive, at?: Date): Promise<Date> {
  const { first, last, bases } = await momentsOf(archive);
  if (at && (at < first || at > last))
    throw new Error(`The archive holds the moments from ${first.toISOString()} to ${last.toISOString()}. Nothing was restored.`);
  const chosenBase = [...bases].findLast(([, { finishedAt }]) => Date.parse(finishedAt) <= (at ?? last).getTime());
  if (!chosenBase) throw new Error('No base backup is older than the archive’s last moment. Nothing was restored.');
  const folder = findFolder(dataDir);
  claim(folder.dir);
  try {
    if (hasCluster(folder) || existsSync(folder.data))
      throw new Error(`There is a database in ${folder.data}. Restore into a new folder: SHOP_DATA_DIR=new-folder.`);
    const installation = withPrograms(folder);
    try {
      await bringFiles(archive, chosenBase, installation);
      await replay(installation, at);
    } catch (error) {
      await rm(folder.data, { recursive: true, force: true });
      throw error;
    }
  } finally {
    release(folder.dir);
  }
  return at ?? last;
}
