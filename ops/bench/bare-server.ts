/** `node ops/bench/bare-server.ts URL PORT`: fetches one answer and hands out the same head and bytes to everyone, with `node:http` and nothing else. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

const [url = '', port] = process.argv.slice(2);
const [reply] = (await once(get(url, { headers: { 'accept-encoding': 'br' } }), 'response')) as [IncomingMessage];
const body = await buffer(reply);
// node:http writes these headers itself.
const written = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
const headers = Object.entries(reply.headers).flatMap(([name, value]) => (written.includes(name) ? [] : [name, String(value)]));
headers.push('content-length', String(body.length));
createServer((_, response) => response.writeHead(200, headers).end(body)).listen(Number(port), '127.0.0.1', () => console.log('open'));
process.once('SIGTERM', () => process.exit(0));
