import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { endProcess } from '#server/testing/shop-process.ts';

/** Where nginx is installed, if it is. */
export const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync);

/** The port of the shop, and the one that only redirects to it. */
interface Ports {
  port: number;
  plainPort: number;
}

/** Removes the limits of each address, as in a drill everybody comes from one. */
const withoutLimits = (site: string) => site.replace(/^\s*limit_(req|conn)(_zone|_status)? .*\n/gm, '');

/** The shipped configuration with other ports, with its logs in `dir`, and without the certificate that only the real machine has. */
function siteOf(dir: string, { port, plainPort }: Ports, upstreams: number[]): string {
  let next = 0;
  return readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    .replace(/server 127\.0\.0\.1:\d+/g, () => `server 127.0.0.1:${upstreams[next++]}`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('/var/log/nginx/shop.log', join(dir, 'access.log'))
    .replaceAll('/var/log/nginx/shop-error.log', join(dir, 'site-error.log'))
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^\s*ssl_.*\n/gm, '');
}

/**
 * Starts nginx in front of processes of the shop, as an ordinary process with all its files in `dir`; `site` may change the configuration once
 * more. Throws an Error where there is no nginx.
 */
export async function startBalancer(
  dir: string,
  port: number,
  upstreams: number[],
  site = (text: string) => text,
  limits: 'limited' | 'unlimited' = 'unlimited',
): Promise<{ url: string; plainUrl: string; stop(): Promise<void> }> {
  if (!NGINX) throw new Error('There is no nginx. On Debian: apt-get install nginx-light');
  mkdirSync(dir, { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(dir, name)};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(dir, 'nginx.conf');
  const ports = { port, plainPort: await freePort() };
  const configured = siteOf(dir, ports, upstreams);
  writeFileSync(
    file,
    `daemon off; ${user} worker_processes 1; pid ${join(dir, 'pid')}; error_log ${join(dir, 'error.log')};
    events { worker_connections 1024; }
    # As on Debian, a server that names no log has this one.
    http { access_log ${join(dir, 'default.log')}; ${paths.join(' ')}
    ${site(limits === 'limited' ? configured : withoutLimits(configured))} }`,
  );
  const child = spawn(NGINX, ['-e', join(dir, 'error.log'), '-p', dir, '-c', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${url}/healthz`));
  return {
    url,
    plainUrl: `http://127.0.0.1:${ports.plainPort}`,
    stop: () => endProcess(child),
  };
}
