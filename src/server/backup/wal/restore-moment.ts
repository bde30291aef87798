import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS, shopTime } from '#contract/market/shop-time.ts';
import { copyMissing } from '#server/backup/backup.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { findFolder } from '#server/platform/database/embedded/installation.ts';
import { withAnyDatabase } from '#server/platform/database/with-database.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { type Archive, openArchive } from './archive.ts';
import { recover } from './recover.ts';

/**
 * A moment as typed: `latest` (undefined), a day and time of the shop's clock, or an ISO time with its zone. A time of the hour that the clock repeats in
 * autumn is the first one. Throws an Error for the operator for anything else.
 */
export function momentOf(typed: string): Date | undefined {
  if (typed === 'latest') return undefined;
  const [, day, minute, second = ':00', zone] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(typed) ?? [];
  const at = Date.parse(`${day}T${minute}${second}${zone ?? 'Z'}`);
  if (Number.isNaN(at)) throw new Error('Write the moment as "2026-11-23 12:02:59" by the shop’s clock, with its zone, or as latest.');
  if (zone) return new Date(at);
  // The shop's clock shows UTC, or in summer an hour more.
  const moment = [at - HOUR_MS, at].find((time) => shopTime(new Date(time).toISOString()) === `${day} ${minute}`);
  if (moment === undefined) throw new Error(`The shop’s clock did not show ${typed}: summer time began.`);
  return new Date(moment);
}

function archiveOf({ backupWal, s3 }: Config): Promise<Archive> {
  if (!backupWal)
    throw new Error('BACKUP_WAL is not set: there are no moments to bring back. Restore a file instead: npm run restore -- FILE');
  return openArchive(backupWal, s3);
}

/** Restores the shop as it was at a moment, by default the archive's last, into a new `SHOP_DATA_DIR`. Returns and throws as `recover` does. */
export async function restoreMoment(config: Config, at: Date | undefined): Promise<Date> {
  const archive = await archiveOf(config);
  const reached = await recover(join(config.dataDir, 'postgres'), archive, at);
  if (archive.folder && !config.s3) await copyMissing(pictureStore({ s3: undefined, dataDir: archive.folder }), pictureStore(config));
  return reached;
}

/** Restores the last moment into a folder beside the data, checks its books, and removes it. Throws an Error for the operator with the rules that are broken. */
export async function rehearseRestore(config: Config): Promise<Date> {
  const dataDir = join(config.dataDir, 'restore-rehearsal');
  const folder = join(dataDir, 'postgres');
  // The database may lie outside of its data folder (`findFolder`).
  const remove = async () => {
    await rm(findFolder(folder).dir, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
  await remove();
  try {
    const reached = await recover(folder, await archiveOf(config));
    const faults = await withAnyDatabase({ databaseUrl: undefined, dataDir }, ({ db }) => listBrokenRuleTexts(db));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return reached;
  } finally {
    await remove();
  }
}
