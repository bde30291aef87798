import pg from 'pg';
import { makeCluster, makePassword, readPassword, setPassword, USER } from './embedded/cluster.ts';
import { claim, ownerOf, release } from './embedded/folder-lock.ts';
import { findFolder, type Installation, removeOldBinaries, withPrograms } from './embedded/installation.ts';
import { awaitRunning, findRunning, type OnTrouble, Server } from './embedded/server.ts';

/** A PostgreSQL that runs as long as the shop. */
export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

interface Options {
  /** Called when a new database is created, which takes a second or two, with a promise of its completion. */
  onNew?: (made: Promise<void>) => void;
  /** Called after each failed restart. Restarts are retried whatever the reason. */
  onTrouble?: OnTrouble;
  /** PostgreSQL settings; tests turn `fsync` off. */
  settings?: Record<string, string>;
}

/**
 * Starts the PostgreSQL that ships with the shop, on a socket in its folder and a free port of the loopback address. The first start creates the database.
 * PostgreSQL is restarted if it ends; one that still runs after the shop was killed is used. Throws an Error for the operator if another running shop uses
 * the folder, or if its files are not a database of this PostgreSQL version.
 */
export async function startEmbedded(dataDir: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const folder = findFolder(dataDir);
  claim(folder.dir);
  try {
    const installation = withPrograms(folder);
    const password = readPassword(installation) ?? makePassword(installation);
    await makeCluster(installation, password, options.onNew ?? (() => undefined));
    const server = await startWithPassword(installation, password, options);
    return {
      url: urlOf(password, server.place),
      stop: async () => {
        await server.stop();
        release(installation.dir);
      },
    };
  } catch (error) {
    release(folder.dir);
    throw error;
  }
}

/**
 * For a command, such as a backup: connects to the PostgreSQL of the running shop, or starts one until the command ends. Throws an Error for the
 * operator while a shop is starting or stopping.
 */
export async function reachEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const folder = findFolder(dataDir);
  const owner = ownerOf(folder.dir);
  if (!owner) return startEmbedded(dataDir);
  const running = findRunning(folder);
  const password = readPassword(folder);
  if (running && !password) throw new Error(`The password in ${folder.dir} is damaged. Restart the shop: it makes a new one.`);
  if (!running || !password) throw new Error(`The shop (process ${owner}) is just starting or stopping. Try again in a moment.`);
  return { url: urlOf(password, running), stop: async () => undefined };
}

/** The connection URL: by the socket if there is one. Host and port always name the loopback address, for tools without socket support. */
function urlOf(password: string, { port, socket }: Server['place']): string {
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  return socket ? `${url}?host=${encodeURIComponent(socket)}` : url;
}

async function startServer(installation: Installation, { settings = {}, onTrouble = () => undefined }: Options): Promise<Server> {
  const server = new Server(installation, settings, onTrouble);
  const running = await awaitRunning(installation);
  if (running) {
    server.adopt(running);
  } else {
    await server.start();
    removeOldBinaries(installation);
  }
  return server;
}

/** Starts the server, and resets its password if the password file was lost or damaged. */
async function startWithPassword(installation: Installation, password: string, options: Options): Promise<Server> {
  const server = await startServer(installation, options);
  if (await acceptsPassword(urlOf(password, server.place))) return server;
  await server.stop();
  setPassword(installation, password);
  return startServer(installation, options);
}

const WRONG_PASSWORD = '28P01';

/** False only if the server refuses the password; other failures are left to the first real connection. */
async function acceptsPassword(url: string): Promise<boolean> {
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
