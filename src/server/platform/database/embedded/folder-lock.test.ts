import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { claim, ownerOf, release } from './folder-lock.ts';

/** Another process that uses a folder until `end`. */
async function ownerElsewhere(dir: string) {
  const program = `import { claim } from '#server/platform/database/embedded/folder-lock.ts'; claim(${JSON.stringify(dir)}); console.log('claimed'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  onTestFinished(end);
  return { pid: child.pid ?? 0, end };
}

test('a copy of a folder in use is refused as what it is, and used once nobody runs who could change what was copied', async () => {
  const parent = aFolder('owner');
  const [used, copy, moved] = ['used', 'copy', 'moved'].map((name) => join(parent, name)) as [string, string, string];
  mkdirSync(used);
  const owner = await ownerElsewhere(used);
  cpSync(used, copy, { recursive: true });
  expect(ownerOf(used)).toBe(owner.pid);
  expect(() => claim(used)).toThrow(`Another shop (process ${owner.pid}) already uses the data folder ${used}.`);
  expect(ownerOf(copy)).toBeUndefined();
  expect(() => claim(copy)).toThrow(`The data folder ${copy} is a copy of one that a running shop (process ${owner.pid}) uses.`);
  // A folder that is moved is still the one that it uses.
  renameSync(used, moved);
  expect(ownerOf(moved)).toBe(owner.pid);

  await owner.end();
  claim(copy);
  expect(() => claim(copy)).not.toThrow();
  release(copy);
});
