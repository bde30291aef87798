/** `npm run generate -- …`: fills a database with made-up products and orders. Builds the shop first where that was never done. */
import { build, checkMachine, install, ROOT } from './prepare.mjs';

process.chdir(ROOT);
checkMachine();
await install();
await build();
await import('../dist/server/generate.js');
