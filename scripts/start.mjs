/** `npm start`: installs, builds, and starts the shop in this process. */
import { hangUpAfterNpm } from './parent.mjs';
import { build, checkMachine, install, ROOT } from './prepare.mjs';

process.chdir(ROOT);
hangUpAfterNpm();
checkMachine();
await install();
await build();
await import('../dist/server/main.js');
