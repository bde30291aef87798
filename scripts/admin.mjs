/** `npm run admin -- …`: makes administrators, exports and erases a customer's data. Builds the shop first where that was never done. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, checkMachine, install, ROOT } from './prepare.mjs';

process.chdir(ROOT);
if (!existsSync(join(ROOT, 'dist/server/admin.js'))) {
  checkMachine();
  await install();
  await build();
}
await import('../dist/server/admin.js');
