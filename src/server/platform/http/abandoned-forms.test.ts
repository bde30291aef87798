import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { token, headers } = await anAdmin(shop.db);
const { staff } = shop.services.forms;

const PART = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nOslo\r\n';
const WHOLE = `${PART}--b--\r\n`;

/** Three forms, as many as are read at once, of which `body` is sent. */
function threeForms(body: string, length = body.length): Promise<Socket[]> {
  const { hostname, port } = new URL(shop.url);
  const head = `POST /api/products HTTP/1.1\r\nhost: x\r\nbearer: ${token}\r\ncontent-type: multipart/form-data; boundary=b`;
  const send = async () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`${head}\r\ncontent-length: ${length}\r\n\r\n${body}`);
    return socket;
  };
  return Promise.all([send(), send(), send()]);
}

const connections = promisify(shop.app.server.getConnections.bind(shop.app.server)) as () => Promise<number>;

/** Closes connections, and waits until the shop knows. */
async function leave(sockets: readonly Socket[]): Promise<void> {
  const before = await connections();
  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect(await connections()).toBe(before - sockets.length));
}

/** Waits until all places of staff's forms are taken. */
const allPlacesTaken = () =>
  eventually(() => expect(staff.run('next', async () => undefined, AbortSignal.timeout(50))).rejects.toThrow('timeout'));

const FIELDS = { name: 'Oslo', description: 'A sofa.', fit: 'Deep', category: 'Sofa', brand: 'Alder', price: '100', countInStock: '1' };

async function save(): Promise<number> {
  const body = new FormData();
  for (const [name, value] of Object.entries(FIELDS)) body.append(name, value);
  return (await fetch(`${shop.url}/api/products`, { method: 'POST', headers, body })).status;
}

const everybodySaves = async () => expect(await Promise.all([save(), save(), save()])).toEqual([201, 201, 201]);

test('three forms that break off while they are read give their places back', async () => {
  const read = await threeForms(PART, 5_000_000);
  await allPlacesTaken();
  await leave(read);
  await everybodySaves();
});

test.each([
  ['whole', WHOLE.length],
  ['begun', 5_000_000],
])('three %s forms whose senders leave while they wait give up their places in the queue', async (_, length) => {
  const read = await threeForms(PART, 5_000_000);
  await allPlacesTaken();
  const waiting = await threeForms(length === WHOLE.length ? WHOLE : PART, length);
  await eventually(() => expect(staff.isAwaited).toBe(true));
  await leave(waiting);
  expect(staff.isAwaited).toBe(false);
  await leave(read);
  await everybodySaves();
});

test.each([
  ['whole', WHOLE.length],
  ['begun', 5_000_000],
])('three %s forms whose senders leave while their session is looked up take no places', async (_, length) => {
  await shop.db.transaction().execute(async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx);
    const forms = await threeForms(length === WHOLE.length ? WHOLE : PART, length);
    await eventually(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'sessions'::regclass and not granted`.execute(tx);
      expect(rows).toHaveLength(3);
    });
    await leave(forms);
  });
  await everybodySaves();
});
