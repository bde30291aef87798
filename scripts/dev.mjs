/** `npm run dev`: builds again at every change and restarts the server; the same bundles as in production, so that both behave alike. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onNode24 } from './node24.mjs';
import { build, install, ROOT, say } from './prepare.mjs';

await onNode24();
process.chdir(ROOT);
await install();
await build();
const vite = 'node_modules/vite/bin/vite.js';
const programs = [
  [vite, 'build', '--watch', '--logLevel', 'warn'],
  [vite, 'build', '--ssr', '--watch', '--logLevel', 'warn'],
  ['--watch-path=dist/server', '--watch-preserve-output', 'dist/server/main.js'],
];
if (!existsSync('dist/server/main.js')) throw new Error('The build left no server.');
say('Watching the sources. Reload the page after a change.');
const children = programs.map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
