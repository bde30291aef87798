/** Installs and builds, for start and test. It uses Node only, since no package is installed yet. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const INSTALL_STAMP = join(ROOT, 'node_modules/.installed');
const BUILD_STAMP = join(ROOT, 'dist/.built');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const SOURCES = ['src', 'public', 'docs/guide', 'scripts/guide-pages.ts', 'vite.config.ts', 'package.json', 'package-lock.json'];

let out = process.stdout;
export const say = (text) => out.write(`${text}\n`);

/** For programs that print a result to standard output. */
export function speakOnStderr() {
  out = process.stderr;
}

/** Whether the sources are present and this user may build them. */
export function canBuild() {
  try {
    accessSync(ROOT, constants.W_OK);
    return SOURCES.every((name) => existsSync(join(ROOT, name)));
  } catch {
    return false;
  }
}

function refuseReadOnly() {
  try {
    accessSync(ROOT, constants.W_OK);
  } catch {
    fail(`The shop's folder cannot be written by this user: ${ROOT}`);
  }
}

export function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Runs a program that ends with this one. Its output is shown, or with `quiet` returned. */
export function run(command, args, { quiet = false, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['pipe', 'inherit', 'inherit'],
      // On Windows npm is a script, which only a shell runs.
      shell: process.platform === 'win32' && !command.includes('\\'),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    const end = () => child.kill();
    for (const signal of SIGNALS) process.once(signal, end);
    child.once('error', (error) => resolve({ code: 1, output: String(error) }));
    child.once('exit', (code) => {
      for (const signal of SIGNALS) process.off(signal, end);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a slow step and shows its progress. */
async function step(title, work) {
  const start = Date.now();
  say(`${title} …`);
  const clock = setInterval(() => say(`  … ${Math.round((Date.now() - start) / 1000)} s`), 10_000);
  const { code, output } = await work();
  clearInterval(clock);
  if (code !== 0) fail(`${output}\n${title}: failed.`);
  say(`${title}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

const readOr = (file, otherwise) => (existsSync(file) ? readFileSync(file, 'utf8') : otherwise);
const hash = (text) => createHash('sha256').update(text).digest('hex');

/** Installs the packages if the lock file has changed since the last installation. Stops with a message if the folder is read-only. */
export async function install() {
  refuseReadOnly();
  const wanted = hash(readFileSync(join(ROOT, 'package-lock.json')));
  if (readOr(INSTALL_STAMP, '') === wanted) return;
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  await step('Installing packages', () =>
    npm ? run(process.execPath, [npm, ...args], { quiet: true }) : run('npm', args, { quiet: true }),
  );
  mkdirSync(dirname(INSTALL_STAMP), { recursive: true });
  writeFileSync(INSTALL_STAMP, wanted);
}

function* filesOf(path) {
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).sort()) yield* filesOf(join(path, name));
}

/** A fingerprint of the build's input by name, size and time. */
function sources() {
  const lines = SOURCES.map((name) => join(ROOT, name))
    .filter(existsSync)
    .flatMap((path) => [...filesOf(path)])
    .map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`);
  return hash(lines.join('\n'));
}

/** Precompresses the browser's files at the best quality. */
function compress(dir) {
  for (const name of readdirSync(dir).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const bytes = readFileSync(join(dir, name));
    writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Builds the browser and server bundles if a source has changed. */
export async function build() {
  const wanted = sources();
  if (readOr(BUILD_STAMP, '') === wanted) return;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  // A production build, also within a test run.
  const env = { ...process.env, NODE_ENV: 'production' };
  const once = (...args) => run(process.execPath, [vite, 'build', '--logLevel', 'warn', ...args], { quiet: true, env });
  await step('Building', async () => {
    const client = await once();
    if (client.code !== 0) return client;
    compress(join(ROOT, 'dist/client/assets'));
    return once('--ssr');
  });
  writeFileSync(BUILD_STAMP, wanted);
}
