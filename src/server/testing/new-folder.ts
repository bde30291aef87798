import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a temporary folder that PostgreSQL's own account may enter, so that a database can lie inside. */
export function newFolder(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `shop-${name}-`));
  chmodSync(dir, 0o711);
  return dir;
}
