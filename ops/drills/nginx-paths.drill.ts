import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#server/platform/ports.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { rawRequests } from '#server/testing/raw-requests.ts';
import { NGINX, startBalancer } from './balancer.ts';

const shop = await testShop();

test('through the shipped nginx no spelling of their paths brings a stranger to metrics and readiness', async (context) => {
  if (!NGINX) return context.skip('there is no nginx here');
  const port = Number(new URL(shop.url).port);
  // Requests of this drill come from the machine itself, which is allowed: without that line they are a stranger's.
  const forStrangers = (site: string) => site.replace('allow 127.0.0.1;', '');
  const nginx = await startBalancer(join(shop.dataDir, 'nginx'), await freePort(), [port, port, port], forStrangers);
  onTestFinished(() => nginx.stop());
  const ask = rawRequests(nginx.url);
  expect((await ask('/api/products')).status).toBe(200);
  for (const name of ['metrics', 'readyz'])
    for (const path of [
      '/NAME',
      '/NAME/',
      '//NAME/',
      '/NAME?a',
      '/NAME/?a',
      '/NAM%45',
      '/NAME%2f',
      '/./NAME/',
      '/x/../NAME/',
      '/NAME/.',
      '/NAME//',
      '/NAME;a',
      '/NAME/..;/NAME',
      'http://shop/NAME/',
    ]) {
      const spelled = path.replaceAll('NAME', name).replace(
        'NAM%45',
        name.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
      );
      expect([spelled, (await ask(spelled)).body]).toEqual([spelled, expect.not.stringMatching(/shop_http_requests_total|"ready"/)]);
    }
  expect((await rawRequests(shop.url)('/metrics/')).body).toContain('shop_http_requests_total');
});

test('the shipped nginx writes no secret of a link into its log, no query and no referring page', async (context) => {
  if (!NGINX) return context.skip('there is no nginx here');
  const port = Number(new URL(shop.url).port);
  const dir = join(shop.dataDir, 'nginx-log');
  const nginx = await startBalancer(dir, await freePort(), [port, port, port]);
  onTestFinished(() => nginx.stop());
  const ask = rawRequests(nginx.url);
  for (const path of ['/pay', '/api/payment-links', '/api/wishlists', '/api/order-attempts']) await ask(`${path}/the-secret`);
  await fetch(`${nginx.url}/shop?search=the-secret`, { headers: { referer: `${nginx.url}/pay/the-secret` } });
  expect((await ask('/contact')).status).toBe(200);
  const log = await eventually(async () => {
    const text = await readFile(join(dir, 'access.log'), 'utf8');
    expect(text).toContain('"GET /contact"');
    return text;
  });
  expect(log).not.toContain('the-secret');
  // Nor by http, where nginx only redirects.
  const referer = `${nginx.plainUrl}/pay/the-secret`;
  const redirected = await fetch(`${nginx.plainUrl}/pay/the-secret?search=the-secret`, { headers: { referer }, redirect: 'manual' });
  expect(redirected.status).toBe(301);
  await setTimeout(200);
  for (const name of (await readdir(dir)).filter((file) => file.endsWith('.log')))
    expect([name, await readFile(join(dir, name), 'utf8')]).toEqual([name, expect.not.stringContaining('the-secret')]);
  // Nor where no process of the shop answers, which nginx would write into its error log.
  const away = join(shop.dataDir, 'nginx-away');
  const alone = await startBalancer(away, await freePort(), [await freePort(), await freePort(), await freePort()]);
  onTestFinished(() => alone.stop());
  expect((await fetch(`${alone.url}/shop?search=the-secret`, { headers: { referer: `${alone.url}/pay/the-secret` } })).status).toBe(502);
  expect(await readFile(join(away, 'site-error.log'), 'utf8')).not.toContain('the-secret');
});

test('the shipped nginx lets one address make a hundred searches at once, and bounds no other page by them', async (context) => {
  if (!NGINX) return context.skip('there is no nginx here');
  const port = Number(new URL(shop.url).port);
  const nginx = await startBalancer(join(shop.dataDir, 'nginx-limits'), await freePort(), [port, port, port], (site) => site, 'limited');
  onTestFinished(() => nginx.stop());
  const statusesOf = (paths: string[]) => Promise.all(paths.map(async (path) => (await fetch(nginx.url + path)).status));
  const kinds = ['/shop?search=', '/api/products?search=', '/api/products/suggestions?search=', '/api/products/facets?search='];
  const spelled = ['/?search=', '/shop/?search=', '/sh%6fp?%73earch='];
  const searches = Array.from({ length: 140 }, (_, n) => `${[...kinds, ...spelled][n % 7]}${n}`);
  // Not all at once: of more than a hundred connections some are refused as such.
  const answers = [...(await statusesOf(searches.slice(0, 70))), ...(await statusesOf(searches.slice(70)))];
  expect(answers.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(100);
  expect(answers).toContain(429);
  for (const [method, path] of [
    ['POST', '/api/cart/check'],
    ['PUT', '/api/users/lists'],
  ]) {
    const carts = await Promise.all(Array.from({ length: 60 }, () => fetch(nginx.url + path, { method })));
    expect(carts.map(({ status }) => status)).toContain(429);
  }
  expect(new Set(await statusesOf(['/shop', '/', '/contact', '/api/products', '/login?redirect=cart']))).toEqual(new Set([200]));
});

test('through the shipped nginx one address reads the feed once at a time, in any spelling, and everything else meanwhile', async (context) => {
  if (!NGINX) return context.skip('there is no nginx here');
  const port = Number(new URL(shop.url).port);
  const dir = join(shop.dataDir, 'nginx-feed');
  const nginx = await startBalancer(dir, await freePort(), [port, port, port], (site) => site, 'limited');
  onTestFinished(() => nginx.stop());
  // Each of these variants has the whole description.
  const names = Array.from({ length: 60 }, (_, n) => String(n));
  await aProduct(shop.db, {
    description: 'Oak. '.repeat(950),
    images: ['/images/one-1200.webp'],
    sizes: names.map((size) => ({ size })),
    colors: names.map((name) => `#${name.padStart(6, '0')}`),
  });
  const [reply] = (await once(get(`${nginx.url}/api/feed.xml`, { agent: false }), 'response')) as [IncomingMessage];
  reply.pause().on('error', () => undefined);
  onTestFinished(() => void reply.destroy());
  const ask = rawRequests(nginx.url);
  for (const spelled of ['/api/feed.xml', '/api/feed.xml/', '/api//feed%2exml?a']) expect((await ask(spelled)).status).toBe(429);
  expect((await ask('/api/products')).status).toBe(200);
});
