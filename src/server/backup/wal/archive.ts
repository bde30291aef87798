import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '#server/platform/settings/config.ts';

/** The files of a shop's base backups and WAL, by key. A file is whole or not there. */
export interface Archive {
  /** The folder, for the pictures beside the database; undefined in a bucket, where the pictures are already. */
  folder: string | undefined;
  put(key: string, content: Buffer | string): Promise<void>;
  read(key: string): Promise<Readable>;
  /** The keys that begin with a folder's name, sorted. */
  list(folder: string): Promise<string[]>;
  /** Removes a folder with everything in it. */
  remove(folder: string): Promise<void>;
}

/** A file's text; undefined if the archive does not have it. */
export async function readText(archive: Archive, key: string): Promise<string | undefined> {
  if (!(await archive.list(dirname(key))).includes(key)) return undefined;
  return (await buffer(await archive.read(key))).toString();
}

const BUCKET = /^s3:([\w./-]+)$/;

/** Opens `BACKUP_WAL`: a folder, or `s3:prefix` in the shop's bucket. */
export async function openArchive(setting: string, s3: Config['s3']): Promise<Archive> {
  const [, prefix] = BUCKET.exec(setting) ?? [];
  return prefix && s3 ? bucketArchive(prefix, s3) : folderArchive(resolve(setting));
}

function folderArchive(root: string): Archive {
  return {
    folder: root,
    async put(key, content) {
      const file = join(root, key);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const part = await open(`${file}.part`, 'w', 0o600);
      try {
        await part.writeFile(content);
        await part.sync();
      } finally {
        await part.close();
      }
      await rename(`${file}.part`, file);
      await syncFolder(dirname(file));
    },
    read: async (key) => createReadStream(join(root, key)),
    async list(folder) {
      const entries = await readdir(join(root, folder), { recursive: true }).catch(noneIfMissing);
      const keys = entries.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
      // The listing has folders too: a folder is a key with others below it.
      return keys.filter((key) => !key.endsWith('.part') && !keys.some((other) => other.startsWith(`${key}/`))).sort();
    },
    remove: (folder) => rm(join(root, folder), { recursive: true, force: true }),
  };
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Makes a rename survive a power cut. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function bucketArchive(prefix: string, s3: NonNullable<Config['s3']>): Promise<Archive> {
  const { diskOf, filesOf } = await import('#server/gateways/picture-files.ts');
  const disk = await diskOf({ s3, dataDir: '' });
  const inBucket = (key: string) => `${prefix}/${key}`;
  // A bucket lists by prefix, so keys that merely begin with the folder's name are left out here.
  const list = async (folder: string) => {
    const keys: string[] = [];
    for await (const { key } of filesOf(disk, inBucket(folder))) keys.push(key.slice(prefix.length + 1));
    return keys.filter((key) => key.startsWith(`${folder}/`)).sort();
  };
  return {
    folder: undefined,
    put: (key, content) => disk.put(inBucket(key), content),
    read: (key) => disk.getStream(inBucket(key)),
    list,
    async remove(folder) {
      for (const key of await list(folder)) await disk.delete(inBucket(key));
    },
  };
}
