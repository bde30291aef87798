/**
 * A Chromium for the browser tests. Where the package has one, it is that one, unpacked once: the same version on every machine, without the
 * windows of a whole browser, which would cost twice the time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Returns the browser's path, and what its environment needs besides. CHROME_PATH goes before everything. */
export async function findBrowser() {
  if (process.env.CHROME_PATH) return { executablePath: process.env.CHROME_PATH, env: {} };
  const packaged = process.platform === 'linux' && process.arch === 'x64' ? unpack() : undefined;
  // A system that is older than what the package was built for cannot run it.
  if (packaged && spawnSync(packaged.executablePath, ['--version'], { env: { ...process.env, ...packaged.env } }).status === 0)
    return packaged;
  const system = SYSTEM.find((path) => existsSync(path));
  if (!system) throw new Error('No Chromium was found on this system. Install one, or set CHROME_PATH.');
  return { executablePath: system, env: {} };
}

/** The package's own list of font folders names its home platform's only. */
function fontsIn(dir) {
  const folders = [dir, '/usr/share/fonts'].map((path) => `<dir>${path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`);
  return `<?xml version="1.0"?>\n<fontconfig>${folders.join('')}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`;
}

/** Unpacks into a folder of its own first: one that was interrupted is never taken for a browser. */
function unpack() {
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const dir = resolve('.cache', `chromium-${version}`);
  if (!existsSync(dir)) {
    say('Unpacking the Chromium of the packages …');
    const part = `${dir}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    // The package unpacks the libraries that a bare system lacks only where it believes itself on its home platform.
    const env = { ...process.env, TMPDIR: part, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The packaged Chromium could not be unpacked:\n${stderr}`);
    writeFileSync(join(part, 'fonts', 'fonts.conf'), fontsIn(join(dir, 'fonts')));
    renameSync(part, dir);
  }
  const libraries = [join(dir, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { executablePath: join(dir, 'chromium'), env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(dir, 'fonts') } };
}
