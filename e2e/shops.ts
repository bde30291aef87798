import { createServer } from 'node:http';
import { sql } from 'kysely';
import { openShop } from './shop.ts';

type Opened = Awaited<ReturnType<typeof openShop>>;

/** The shop that a worker asks for. Workers with the same `parallelIndex` never run at the same time. */
interface Wanted {
  market: string;
  parallelIndex: string;
  project: string;
}

/** Set for the workers by `openShops`. */
const PLACE = 'E2E_SHOPS';

async function open(market: string): Promise<Opened> {
  // The shop of the uk market is registered for VAT, that of the classic one is not.
  const opened = await openShop({ STORE_MARKET: market, VAT_NUMBER: market === 'uk' ? 'GB123456789' : '' });
  // No test needs its data after a power cut.
  await opened.shop.withDatabase(async (db) => {
    await sql`alter system set fsync = off`.execute(db);
    await sql`select pg_reload_conf()`.execute(db);
  });
  return opened;
}

/**
 * Keeps the shops of a run, and ends them with it. Playwright starts a new worker for each project and after each failure, but a shop takes seconds of
 * both cores to open: projects use the same ones, one after the other.
 */
export default async function openShops(): Promise<() => Promise<void>> {
  const shops = new Map<string, { projects: Set<string>; opened: Promise<Opened> }>();

  async function shopFor({ market, parallelIndex, project }: Wanted): Promise<Opened> {
    const key = `${market} ${parallelIndex}`;
    const found = shops.get(key);
    if (found && !found.projects.has(project)) {
      found.projects.add(project);
      return found.opened;
    }
    // The worker before it ended with a failed test, which may have left anything.
    const opened = (async () => {
      await found?.opened.then(({ close }) => close());
      return open(market);
    })();
    shops.set(key, { projects: new Set([project]), opened });
    return opened;
  }

  const server = createServer(async ({ url = '' }, reply) => {
    try {
      const { shop } = await shopFor(Object.fromEntries(new URL(url, 'http://shops').searchParams) as unknown as Wanted);
      reply.end(JSON.stringify({ url: shop.url, dataDir: shop.dataDir }));
    } catch (error) {
      reply.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  process.env[PLACE] = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return async () => {
    server.close();
    server.closeAllConnections();
    const opened = await Promise.allSettled([...shops.values()].map((each) => each.opened));
    await Promise.all(opened.map((each) => each.status === 'fulfilled' && each.value.close()));
  };
}

/** For a worker: where its shop is. */
export async function findShop(wanted: Wanted): Promise<{ url: string; dataDir: string }> {
  const reply = await fetch(`${process.env[PLACE]}?${new URLSearchParams({ ...wanted })}`);
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as { url: string; dataDir: string };
}
