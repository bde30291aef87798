import { once } from 'node:events';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { answerHeadUnread } from './head-requests.ts';

test('HEAD sends the headers of a file without reading it', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  answerHeadUnread(app);
  let left = 100;
  const file = new Readable({ read: () => void file.push(left-- > 0 ? 'x'.repeat(1024) : null) });
  app.get('/file', async (_, reply) => reply.type('text/csv').header('content-length', 102_400).send(file));
  const closed = once(file, 'close');
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/file' });
  await closed;
  expect([statusCode, headers['content-type'], headers['content-length'], left]).toEqual([200, 'text/csv', '102400', 100]);
});
