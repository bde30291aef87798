import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testShop } from '#server/testing/harness.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const rules = read('deploy/monitoring/alerts.yaml');
const dashboard = read('deploy/monitoring/dashboard.json');

/** The names of the metrics that a text asks for. */
const namesIn = (text: string) => new Set(text.match(/\b(shop|process|nodejs)_[a-z0-9_]+(?=\{|\)|\[| |,|\\|")/g) ?? []);

test('the rules and the dashboard ask for nothing that the shop does not tell', async () => {
  const { app } = await testShop();
  await app.inject({ url: '/api/products' });
  const { body } = await app.inject({ url: '/metrics' });
  // A labelled metric without a value yet has its type alone.
  const told = new Set(body.split('\n').map((line) => line.replace(/^# TYPE /, '').split(/[{ ]/)[0]));
  const asked = [...namesIn(rules), ...namesIn(dashboard)];
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !told.has(name))).toEqual([]);
});

test('each rule has a test with promtool and a row that says what to do', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const [tests, operations] = [read('deploy/monitoring/alerts.test.yaml'), read('docs/operations.md')];
  expect(alerts.length).toBeGreaterThan(5);
  expect(alerts.filter((name) => !tests.includes(`alertname: ${name}\n        exp_alerts`))).toEqual([]);
  expect(alerts.filter((name) => !new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm').test(operations))).toEqual([]);
});
