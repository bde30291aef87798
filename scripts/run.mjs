/** `node scripts/run.mjs FILE …`: builds the shop and runs a TypeScript file of it, in Node 24. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onNode24 } from './node24.mjs';
import { build, install, ROOT, speakOnStderr } from './prepare.mjs';

await onNode24();
process.chdir(ROOT);
speakOnStderr();
await install();
await build();
const [, , file] = process.argv;
process.argv.splice(1, 2, resolve(file));
await import(pathToFileURL(resolve(file)).href);
