import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUDGETS } from './budgets.ts';
import { ROOT } from './root.ts';

test('the operator reads the times that the code has', () => {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \|[^|]*\| ([\d,]+) ms \|/gm)].map(([, name, ms = '']) => [name, Number(ms.replace(',', ''))]);
  expect(Object.fromEntries(rows)).toEqual(BUDGETS);
});
