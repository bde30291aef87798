import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { DAY_MS } from '#contract/market/shop-time.ts';
import type { Folder } from '#server/platform/database/embedded/installation.ts';
import { type Archive, readText } from './archive.ts';
import { makeBase, readBases } from './base.ts';
import { isSince, pieceKey, SEGMENT, segmentOf, segmentOfKey } from './segments.ts';

const SLOT = 'backup';
const SHIP_EVERY_MS = 2_000;
/** How often an idle shop still writes to the archive. */
const IDLE_MS = 60_000;
const STOP_MS = 5_000;
const FILES_EVERY_MS = 3_600_000;

/** PostgreSQL's settings. Unarchived WAL is kept up to a limit, so that an unreachable archive never fills the shop's disk. */
export const WAL_SETTINGS = { wal_level: 'replica', max_slot_wal_keep_size: '2GB' };

export interface ShippingOptions {
  pool: pg.Pool;
  folder: Folder;
  archive: Archive;
  /** For how many days back any moment can be restored. */
  keepDays: number;
  /** Called after each failure, and with undefined once everything is in the archive again. */
  onTrouble: (reason: string | undefined) => void;
  /** Called with each moment up to which everything is in the archive. */
  onShipped?: (at: Date) => void;
  /** Called after each base backup. */
  onBase?: () => Promise<void>;
  /** Copies the files beside the database: at the start, and each hour. */
  copyFiles?: (() => Promise<void>) | undefined;
}

export interface Shipping {
  /** The moment up to which everything is in the archive; undefined before the first time. */
  readonly latest: Date | undefined;
  /** Resolves once everything that is committed now is in the archive, after a base backup if there was none. */
  ship(): Promise<void>;
  stop(): Promise<void>;
}

/** Refuses an archive that another folder writes to: two histories could not be told apart. The inode in the mark tells a copied folder apart. */
async function claimArchive(archive: Archive, { dir }: Folder): Promise<void> {
  const file = join(dir, 'archive-mark');
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 });
  const mark = `${readFileSync(file, 'utf8').trim()} ${statSync(dir).ino}`;
  const owner = await readText(archive, 'owner/mark');
  if (owner === undefined) await archive.put('owner/mark', mark);
  else if (owner !== mark)
    throw new Error(
      'BACKUP_WAL holds the backups of another shop, or of this one before its folder was restored, copied or moved. Name another folder or prefix; nothing was overwritten.',
    );
}

/**
 * The slot makes PostgreSQL keep the WAL from its position on. A missing slot, or one that lost WAL, is created afresh; a new base backup follows. Returns
 * where the position's segment begins, so that no segment in the archive lacks its beginning.
 */
async function openSlot(pool: pg.Pool): Promise<{ position: bigint; isNew: boolean }> {
  await pool.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and wal_status = 'lost'`, [
    SLOT,
  ]);
  const { rowCount } = await pool.query(
    'select pg_create_physical_replication_slot($1, true) where not exists (select from pg_replication_slots where slot_name = $1)',
    [SLOT],
  );
  const { rows } = await pool.query<{ position: string }>(
    `select restart_lsn - '0/0' as position from pg_replication_slots where slot_name = $1`,
    [SLOT],
  );
  const position = BigInt(rows[0]?.position ?? 0);
  return { position: position - (position % BigInt(SEGMENT)), isNew: rowCount === 1 };
}

/** Lets PostgreSQL remove its WAL again, in a shop that no longer archives it. */
export async function dropSlot(pool: pg.Pool): Promise<void> {
  await pool.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active', [SLOT]);
}

/** Removes the base backups that no moment of the last `keepDays` needs, and the WAL before the oldest that is left. */
async function prune(archive: Archive, keepDays: number): Promise<void> {
  const bases = [...(await readBases(archive))];
  const since = Date.now() - keepDays * DAY_MS;
  const firstKept = Math.max(
    0,
    bases.findLastIndex(([, { finishedAt }]) => Date.parse(finishedAt) <= since),
  );
  const oldest = bases[firstKept]?.[1];
  if (!oldest) return;
  for (const [name] of bases.slice(0, firstKept)) await archive.remove(`bases/${name}`);
  const segments = new Set((await archive.list('wal')).flatMap((key) => segmentOfKey(key) ?? []));
  for (const segment of segments) if (!isSince(segment, oldest.start)) await archive.remove(`wal/${segment}`);
}

class Shipper implements Shipping {
  readonly #options: ShippingOptions;
  #position: bigint | undefined;
  #needsBase = true;
  #lastBaseAt = 0;
  #filesCopiedAt = 0;
  #stopping = new AbortController();
  #shipping: Promise<void> = Promise.resolve();
  latest: Date | undefined;

  constructor(options: ShippingOptions) {
    this.#options = options;
  }

  /** Continues until `stop`, whatever fails: the archive may come back at any time. */
  async run(): Promise<void> {
    const { onTrouble } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.ship().then(
        () => onTrouble(undefined),
        (error: Error) => onTrouble(error.message),
      );
      await wait(SHIP_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  ship(): Promise<void> {
    this.#shipping = this.#shipping.catch(() => undefined).then(() => this.#shipAll());
    return this.#shipping;
  }

  /** Ends the loop, then ships what was written since its last round. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.ship().catch(() => undefined);
  }

  async #shipAll(): Promise<void> {
    if (this.#position === undefined) await this.#begin();
    await this.#shipWal();
    const { copyFiles } = this.#options;
    if (copyFiles && Date.now() - this.#filesCopiedAt > FILES_EVERY_MS) {
      await copyFiles();
      this.#filesCopiedAt = Date.now();
    }
    if (!this.#stopping.signal.aborted && (this.#needsBase || Date.now() - this.#lastBaseAt > DAY_MS)) await this.#makeBase();
  }

  async #begin(): Promise<void> {
    const { pool, folder, archive } = this.#options;
    await claimArchive(archive, folder);
    const { position, isNew } = await openSlot(pool);
    const newest = [...(await readBases(archive)).values()].at(-1);
    this.#needsBase = isNew || !newest;
    this.#lastBaseAt = newest ? Date.parse(newest.finishedAt) : 0;
    await this.#copyHistory();
    this.#position = position;
  }

  /** Copies PostgreSQL's timeline history: a database that was restored once needs it to find the WAL before that. */
  async #copyHistory(): Promise<void> {
    const { folder, archive } = this.#options;
    const wal = join(folder.data, 'pg_wal');
    for (const name of (await readdir(wal)).filter((file) => file.endsWith('.history')))
      await archive.put(`history/${name}`, await readFile(join(wal, name)));
  }

  async #shipWal(): Promise<void> {
    const { pool, archive } = this.#options;
    const { rows } = await pool.query<{ at: string; flushed: string; timeline: number; status: string | null }>(
      `select clock_timestamp() as at, pg_current_wal_flush_lsn() - '0/0' as flushed, timeline_id as timeline,
        (select wal_status from pg_replication_slots where slot_name = $1) as status from pg_control_checkpoint()`,
      [SLOT],
    );
    const [now] = rows;
    if (!now) return;
    if (now.status === null || now.status === 'lost') {
      this.#position = undefined;
      throw new Error('the archive was away for so long that WAL is missing in it: a new base backup is made');
    }
    const flushed = BigInt(now.flushed);
    const at = new Date(now.at);
    let position = this.#position ?? flushed;
    const hasNewWal = position < flushed;
    while (position < flushed) {
      const offset = Number(position % BigInt(SEGMENT));
      const length = Math.min(SEGMENT - offset, Number(flushed - position));
      const segment = segmentOf(now.timeline, position);
      await archive.put(pieceKey(segment, offset), await promisify(gzip)(await this.#read(segment, offset, length)));
      position += BigInt(length);
      this.#position = position;
    }
    if (hasNewWal) await pool.query(`select pg_replication_slot_advance($1, '0/0'::pg_lsn + $2::numeric)`, [SLOT, String(flushed)]);
    if (hasNewWal || at.getTime() - (this.latest?.getTime() ?? 0) > IDLE_MS) {
      await archive.put('latest/at', now.at);
      this.latest = at;
      this.#options.onShipped?.(at);
    }
  }

  async #read(segment: string, offset: number, length: number): Promise<Buffer> {
    const file = await open(join(this.#options.folder.data, 'pg_wal', segment));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      if (bytesRead < length) throw new Error(`PostgreSQL's file ${segment} is shorter than its WAL`);
      return buffer;
    } finally {
      await file.close();
    }
  }

  async #makeBase(): Promise<void> {
    const { pool, folder, archive, keepDays, onBase } = this.#options;
    const shipUpTo = async (end: bigint) => {
      while ((this.#position ?? 0n) < end) await this.#shipWal();
    };
    const base = await makeBase(pool, folder.data, archive, shipUpTo);
    this.#needsBase = false;
    this.#lastBaseAt = Date.parse(base.finishedAt);
    await prune(archive, keepDays);
    // Not awaited: shipping continues meanwhile.
    void onBase?.();
  }
}

/** Copies the WAL of an embedded PostgreSQL into the archive every two seconds, and makes a base backup once a day, until `stop`. */
export function startShipping(options: ShippingOptions): Shipping {
  const shipper = new Shipper(options);
  const running = shipper.run();
  return {
    get latest() {
      return shipper.latest;
    },
    ship: () => shipper.ship(),
    // A lost archive must not hold up the stop.
    stop: () => Promise.race([shipper.stop().then(() => running), wait(STOP_MS, undefined, { ref: false })]),
  };
}
