import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type Pack, pack } from 'tar-stream';
import { type Archive, readText } from './archive.ts';
import { segmentOf } from './segments.ts';

/** The `base.json` of a base backup, which is written last. */
export interface Base {
  /** The first moment that can be restored from it. */
  finishedAt: string;
  /** The first WAL segment that a restore needs. */
  start: string;
  parts: number;
  sha256: string;
}

/** Bytes of a part: object storage takes whole objects, which are held in memory. */
const PART_BYTES = 32 * 1024 * 1024;
/** Files that PostgreSQL creates afresh, or that must not be there when it starts. */
const NOT_COPIED =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^(postmaster\.(pid|opts)|backup_label|tablespace_map)$|(^|\/)(pgsql_tmp|pg_internal\.init)/;

export const partKey = (name: string, number: number): string => `bases/${name}/data.tar.gz.${String(number).padStart(4, '0')}`;

/** Writes exactly as many bytes as the entry's header says: the file may grow or shrink meanwhile, which replaying the WAL corrects. */
async function addFile(tar: Pack, path: string, name: string): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) return;
  if (file.size === 0) {
    tar.entry({ name, mode: 0o600 }, '');
    return;
  }
  const entry = tar.entry({ name, size: file.size, mode: 0o600 });
  let bytesLeft = file.size;
  const exactly = async function* (bytes: AsyncIterable<Buffer>) {
    for await (const piece of bytes) {
      yield piece;
      bytesLeft -= piece.length;
    }
    // Zeros for what the file has lost meanwhile.
    for (; bytesLeft > 0; bytesLeft -= Math.min(bytesLeft, 65_536)) yield Buffer.alloc(Math.min(bytesLeft, 65_536));
  };
  await pipeline(createReadStream(path, { end: file.size - 1 }), exactly, entry);
}

async function addAll(tar: Pack, data: string): Promise<void> {
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(data.length + 1).replaceAll('\\', '/');
    if (NOT_COPIED.test(name)) continue;
    if (entry.isDirectory()) tar.entry({ name, type: 'directory', mode: 0o700 });
    else await addFile(tar, path, name);
  }
}

/** Puts a stream into the archive, in parts. */
async function putParts(archive: Archive, name: string, bytes: AsyncIterable<Buffer>): Promise<Pick<Base, 'parts' | 'sha256'>> {
  const hash = createHash('sha256');
  let pieces: Buffer[] = [];
  let length = 0;
  let parts = 0;
  const putPart = async () => {
    await archive.put(partKey(name, parts), Buffer.concat(pieces));
    pieces = [];
    length = 0;
    parts += 1;
  };
  for await (const piece of bytes) {
    hash.update(piece);
    pieces.push(piece);
    length += piece.length;
    if (length >= PART_BYTES) await putPart();
  }
  await putPart();
  return { parts, sha256: hash.digest('hex') };
}

interface BackupEnd {
  label: string;
  /** Bytes from the beginning of the WAL (`lsn - '0/0'`). */
  position: string;
  at: string;
}

/**
 * Copies the files of a running PostgreSQL into the archive. `archiveWal` archives the WAL up to a position: a base backup is complete only with the
 * WAL up to its end. Throws what PostgreSQL, the disk or the archive throws; a base backup without its `base.json` is never used.
 */
export async function makeBase(
  pool: pg.Pool,
  data: string,
  archive: Archive,
  archiveWal: (position: bigint) => Promise<void>,
): Promise<Base> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query<{ position: string; timeline: number }>(
      `select pg_backup_start('shop', fast => true) - '0/0' as position, timeline_id as timeline from pg_control_checkpoint()`,
    );
    const [begun] = rows;
    if (!begun) throw new Error('PostgreSQL did not begin a backup.');
    const name = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const tar = pack();
    const filling = (async () => {
      await addAll(tar, data);
      const stopped = await client.query<BackupEnd>(
        `select labelfile as label, lsn - '0/0' as position, clock_timestamp() as at from pg_backup_stop(wait_for_archive => false)`,
      );
      const [end] = stopped.rows;
      if (!end) throw new Error('PostgreSQL did not end the backup.');
      tar.entry({ name: 'backup_label', mode: 0o600 }, end.label);
      tar.finalize();
      return end;
    })();
    filling.catch((error: Error) => tar.destroy(error));
    const packed = Readable.from(tar).pipe(createGzip({ level: 1 }));
    tar.on('error', (error: Error) => packed.destroy(error));
    const content = await putParts(archive, name, packed);
    const end = await filling;
    await archiveWal(BigInt(end.position));
    const base: Base = { finishedAt: end.at, start: segmentOf(begun.timeline, BigInt(begun.position)), ...content };
    await archive.put(`bases/${name}/base.json`, JSON.stringify(base));
    return base;
  } finally {
    // Closes the connection, which ends a backup that has failed.
    client.release(true);
  }
}

/** The complete base backups, by name, the oldest first. */
export async function readBases(archive: Archive): Promise<Map<string, Base>> {
  const bases = new Map<string, Base>();
  for (const key of await archive.list('bases')) {
    const [, name] = /^bases\/(.+)\/base\.json$/.exec(key) ?? [];
    const text = name && (await readText(archive, key));
    if (text) bases.set(name, JSON.parse(text) as Base);
  }
  return bases;
}
