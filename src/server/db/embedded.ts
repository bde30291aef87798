import pg from 'pg';
import { makeCluster, makePassword, readPassword, setPassword, USER } from './embedded/cluster.ts';
import { claim, ownerOf, release } from './embedded/owner.ts';
import { equip, findFolder, type Place, removeOldBinaries } from './embedded/place.ts';
import { awaitRunning, findRunning, type OnTrouble, Server } from './embedded/server.ts';

/** A PostgreSQL that runs beside the shop, for as long as the shop runs. */
export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

interface Options {
  onProgress?: (text: string) => void;
  /** Called each time that PostgreSQL, having ended, could not be started again. It is tried again whatever the trouble is. */
  onTrouble?: OnTrouble;
  /** PostgreSQL settings; tests turn `fsync` off. */
  settings?: Record<string, string>;
}

/**
 * Starts the PostgreSQL that ships with the shop on a free port of the loopback address; the first time it makes the database first.
 * It is started again when it dies. One that outlived a killed shop is taken over. Throws an Error with a sentence for the operator when
 * another living shop uses the folder, or when its files are no database of this PostgreSQL.
 */
export async function startEmbedded(dataDir: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const folder = findFolder(dataDir);
  claim(folder.dir);
  try {
    const place = equip(folder);
    const password = readPassword(place) ?? makePassword(place);
    makeCluster(place, password, options.onProgress ?? (() => undefined));
    const server = await startLettingIn(place, password, options);
    return {
      url: urlOf(password, server.port),
      stop: async () => {
        await server.stop();
        release(place.dir);
      },
    };
  } catch (error) {
    release(folder.dir);
    throw error;
  }
}

/**
 * For a command beside the shop: the PostgreSQL of the shop that runs right now, or one that is started for as long as the command takes.
 * Throws an Error with a sentence for the operator when a shop is just starting or stopping.
 */
export async function reachEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const folder = findFolder(dataDir);
  const owner = ownerOf(folder.dir);
  if (!owner) return startEmbedded(dataDir);
  const running = findRunning(folder);
  const password = readPassword(folder);
  if (running && !password) throw new Error(`The password in ${folder.dir} is damaged. Restart the shop: it makes a new one.`);
  if (!running || !password) throw new Error(`The shop (process ${owner}) is just starting or stopping. Try again in a moment.`);
  return { url: urlOf(password, running.port), stop: async () => undefined };
}

const urlOf = (password: string, port: number) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;

async function startServer(place: Place, { settings = {}, onTrouble = () => undefined }: Options): Promise<Server> {
  const server = new Server(place, settings, onTrouble);
  const running = await awaitRunning(place);
  if (running) {
    server.adopt(running);
  } else {
    await server.start();
    removeOldBinaries(place);
  }
  return server;
}

/** A server that knows the password. It forgets nothing, but the file with the password may have been lost or damaged. */
async function startLettingIn(place: Place, password: string, options: Options): Promise<Server> {
  const server = await startServer(place, options);
  if (await isLetIn(urlOf(password, server.port))) return server;
  await server.stop();
  setPassword(place, password);
  return startServer(place, options);
}

const WRONG_PASSWORD = '28P01';

/** Whether the password of this address is the right one; any other trouble with the server is left to its first user. */
async function isLetIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== WRONG_PASSWORD;
  } finally {
    await client.end().catch(() => undefined);
  }
}
