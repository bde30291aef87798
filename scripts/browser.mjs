/**
 * A Chromium for the browser tests: that of the package, unpacked once, if there is one for this platform. It is the same headless version on every machine,
 * and twice as fast as a whole browser.
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

/** Returns the browser's path, and additional environment variables. CHROME_PATH takes precedence. */
export async function findBrowser() {
  if (process.env.CHROME_PATH) return { executablePath: process.env.CHROME_PATH, env: {} };
  const packaged = process.platform === 'linux' && process.arch === 'x64' ? unpack() : undefined;
  // Older systems cannot run it.
  if (packaged && spawnSync(packaged.executablePath, ['--version'], { env: { ...process.env, ...packaged.env } }).status === 0)
    return packaged;
  const system = SYSTEM.find((path) => existsSync(path));
  if (!system) throw new Error('No Chromium was found on this system. Install one, or set CHROME_PATH.');
  return { executablePath: system, env: {} };
}

/** The package's own configuration has only the font folders of AWS Lambda. */
function fontsIn(dir) {
  const folders = [dir, '/usr/share/fonts'].map((path) => `<dir>${path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`);
  return `<?xml version="1.0"?>\n<fontconfig>${folders.join('')}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`;
}

/** Unpacks into another folder first, so that an interrupted run leaves no partial browser. */
function unpack() {
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const dir = resolve('.cache', `chromium-${version}`);
  if (!existsSync(dir)) {
    say('Unpacking the Chromium of the packages …');
    const part = `${dir}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    // The package unpacks its system libraries only on AWS Lambda.
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
