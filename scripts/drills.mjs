/** `npm run drills`: every drill of ops/drills, one after the other; `npm run drills -- crash` runs those whose name holds the word. */
import { join } from 'node:path';
import { onNode24 } from './node24.mjs';
import { build, checkMachine, install, ROOT, run } from './prepare.mjs';

await onNode24();
process.chdir(ROOT);
checkMachine();
await install();
await build();
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { code } = await run(process.execPath, [vitest, 'run', '--config', 'ops/drills/vitest.config.ts', ...process.argv.slice(2)]);
process.exit(code);
