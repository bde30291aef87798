/** A Chromium for the browser tests: the system's where there is one, else the one in a package, unpacked once. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { say } from './prepare.mjs';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** Returns the browser's path, and what its environment needs besides. */
export async function findBrowser() {
  const system = [process.env.CHROME_PATH, ...SYSTEM].find((path) => path && existsSync(path));
  if (system) return { executablePath: system, env: {} };
  return unpack();
}

function unpack() {
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const dir = resolve('.cache', `chromium-${version}`);
  mkdirSync(dir, { recursive: true });
  if (!existsSync(join(dir, 'chromium'))) say('No Chromium was found on this system: unpacking the one in the packages …');
  // The package unpacks the libraries that a bare system lacks only where it believes itself on its home platform.
  const env = { ...process.env, TMPDIR: dir, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const script = "import('@sparticuz/chromium').then(({ default: c }) => c.executablePath()).then((path) => process.stdout.write(path))";
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The packaged Chromium could not be unpacked:\n${stderr}`);
  const libraries = [join(dir, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { executablePath: stdout.trim(), env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(dir, 'fonts') } };
}
