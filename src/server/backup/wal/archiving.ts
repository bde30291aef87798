import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyMissing } from '#server/backup/backup.ts';
import type { Services } from '#server/context/services.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { connect } from '#server/platform/database/connect.ts';
import { findFolder } from '#server/platform/database/embedded/installation.ts';
import { ROOT } from '#server/platform/root.ts';
import { openArchive } from './archive.ts';
import { dropSlot, type Shipping, startShipping } from './ship.ts';

type Needs = Pick<Services, 'config' | 'pictures' | 'metrics' | 'log'>;

/** Restores the last moment into a folder beside the data, in a process of its own, and removes it again. Throws an Error with the faults. */
const rehearse = () => promisify(execFile)(process.execPath, [join(ROOT, 'dist/server/backup.js'), 'restore', '--rehearse'], { cwd: ROOT });

/** Archives the embedded database to `BACKUP_WAL`, with the pictures on this machine, until `stop`. Without the setting no WAL is kept for an archive. */
export async function startArchiving({ config, pictures, metrics, log }: Needs, url: string): Promise<Pick<Shipping, 'stop'>> {
  const { pool, close } = connect(url, { max: 2 });
  if (!config.backupWal) {
    await dropSlot(pool).finally(close);
    return { stop: async () => undefined };
  }
  const archive = await openArchive(config.backupWal, config.s3);
  const apart = archive.folder && !config.s3 ? pictureStore({ s3: undefined, dataDir: archive.folder }) : undefined;
  let lastReason: string | undefined;
  const shipping = startShipping({
    pool,
    archive,
    folder: findFolder(join(config.dataDir, 'postgres')),
    keepDays: config.backupDays,
    copyFiles: apart && (() => copyMissing(pictures, apart)),
    onShipped: (at) => metrics.backupReached('archived', at),
    onTrouble: (reason) => {
      if (reason && reason !== lastReason) log.error({ reason }, 'the database cannot be archived to BACKUP_WAL; it is tried again');
      if (!reason && lastReason) log.warn('the database is archived to BACKUP_WAL again');
      lastReason = reason;
    },
    onBase: () =>
      rehearse().then(
        () => metrics.backupReached('rehearsed', new Date()),
        (error: { stderr?: string; message: string }) =>
          log.error({ reason: error.stderr || error.message }, 'a restore from BACKUP_WAL was tried and failed'),
      ),
  });
  return {
    stop: async () => {
      await shipping.stop();
      await close();
    },
  };
}
