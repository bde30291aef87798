import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** The mails to an address, oldest first. */
export async function mailsOf(dataDir: string, to: string): Promise<Email[]> {
  const dir = join(dataDir, 'mail');
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map(async (file) => PostalMime.parse(await readFile(join(dir, file)))));
  return mails.filter((mail) => mail.to?.some(({ address }) => address === to));
}
