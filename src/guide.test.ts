import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const GUIDE = join(ROOT, 'docs/guide');
const pages = readdirSync(GUIDE).filter((file) => file.endsWith('.md'));
const textOf = (page: string) => readFileSync(join(GUIDE, page), 'utf8');
/** Everything that a screen of the office can say. */
const screens = ['src/web', 'src/contract', 'src/server/orders/office']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('settings/guide.tsx'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  )
  .join('\n');

test('the guide names only buttons, fields and screens that exist', () => {
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => [page, name] as const));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(([, name]) => !screens.includes(name))).toEqual([]);
});

test('every page of the guide is listed on its screen, shows pictures that exist, and leads to pages that exist', () => {
  const listed = [...readFileSync(join(ROOT, 'src/web/admin/settings/guide.tsx'), 'utf8').matchAll(/^ {2}\['([\w-]+)', /gm)];
  expect(listed.map(([, page]) => `${page}.md`).sort()).toEqual(pages);
  const shown = pages.flatMap((page) => [...textOf(page).matchAll(/!\[[^\]]{10,}\]\(pictures\/([\w-]+\.webp)\)/g)].map(([, file]) => file));
  expect([...new Set(shown)].sort()).toEqual(readdirSync(join(GUIDE, 'pictures')).sort());
  const links = pages.flatMap((page) => [...textOf(page).matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file));
  expect(links.filter((file) => !pages.includes(file ?? ''))).toEqual([]);
});
