/** `npm start`: installs, builds, and starts the shop in this process. */
import { onNode24 } from './node24.mjs';
import { hangUpAfterNpm } from './parent.mjs';
import { build, install, ROOT } from './prepare.mjs';

await onNode24();
process.chdir(ROOT);
hangUpAfterNpm();
await install();
await build();
await import('../dist/server/main.js');
