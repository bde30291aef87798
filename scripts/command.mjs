/** `npm run admin|backup|books|restore|generate|migrate -- …`: runs a command of the shop, built from the sources as they are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onNode24 } from './node24.mjs';
import { build, canBuild, install, ROOT, speakOnStderr } from './prepare.mjs';

await onNode24();
const [, , name, ...args] = process.argv;
const program = join(ROOT, 'dist/server', `${name}.js`);
// Where the shop is installed without its sources, or for another user to run, it was built before.
if (!existsSync(program) || canBuild()) {
  // What a command prints may be read by another program.
  speakOnStderr();
  await install();
  await build();
}
process.argv = [process.argv[0], program, ...args];
await import(program);
