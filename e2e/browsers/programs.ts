import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs that PATH leads to. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** WebKitGTK's own small browser, which Debian keeps outside PATH, in a folder named by the machine and the library's version. */
export function findMiniBrowser(): string | undefined {
  const folders = ['/usr/lib', '/usr/libexec'].flatMap((root) => {
    try {
      return readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(root, name));
    } catch {
      return [];
    }
  });
  const versions = ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'];
  return folders.flatMap((folder) => ['', ...versions].map((version) => join(folder, version, 'MiniBrowser'))).find(isProgram);
}
