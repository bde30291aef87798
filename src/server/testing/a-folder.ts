import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { newFolder } from './new-folder.ts';

/** A new folder that is deleted after the test; with `after: afterAll` after the last test of the file. */
export function aFolder(name = 'test', after: (remove: () => void) => unknown = onTestFinished): string {
  const dir = newFolder(name);
  after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
