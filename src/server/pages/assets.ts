import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** Output folder of `vite build`. */
export const CLIENT_DIR = join(ROOT, 'dist/client');

interface Chunk {
  file: string;
  imports?: string[];
  assets?: string[];
}

/** URLs of a page's files. */
export interface Assets {
  /** The inline first script, and its hash for the CSP. */
  start: string;
  startHash: string;
  /** The script loaded after the first paint. */
  entry: string;
  /** The error-reporting script, loaded on the first error. */
  report: string;
  styles: string;
  /** Fonts used on every page. */
  fonts: string[];
  /** The chunks that the entry imports, then those of the named source files and their imports. Throws if the build lacks one. */
  chunksOf(modules: string[]): string[];
}

const START = 'src/web/start.ts';
const ENTRY = 'src/web/entry-client.tsx';
const REPORT = 'src/web/report-error.ts';
const STYLES = 'style.css';

/** Reads the build's manifest. Throws if the client is not built. */
export function readAssets(): Assets {
  const manifest = JSON.parse(readFileSync(join(CLIENT_DIR, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const entry = manifest[ENTRY];
  if (!(entry && manifest[STYLES])) throw new Error(`The client build has no ${entry ? STYLES : ENTRY}.`);
  const withImports = (key: string, seen: Set<string>): Set<string> => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return seen;
    seen.add(key);
    for (const name of chunk.imports ?? []) withImports(name, seen);
    return seen;
  };
  const fileOf = (key: string) => `/${manifest[key]?.file}`;
  const start = readFileSync(join(CLIENT_DIR, fileOf(START)), 'utf8').trim();
  return {
    start,
    startHash: `sha256-${createHash('sha256').update(start).digest('base64')}`,
    entry: `/${entry.file}`,
    report: fileOf(REPORT),
    styles: fileOf(STYLES),
    fonts: (entry.assets ?? []).filter((file) => file.endsWith('.woff2')).map((file) => `/${file}`),
    chunksOf(modules) {
      const missing = modules.find((module) => !manifest[module]);
      if (missing) throw new Error(`The client build has no ${missing}.`);
      const keys = [ENTRY, ...modules].reduce((seen, key) => withImports(key, seen), new Set<string>());
      return [...keys].filter((key) => key !== ENTRY).map(fileOf);
    },
  };
}
