import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '#server/platform/ports.ts';
import type { Browser, Startable } from './browser.ts';
import { findMiniBrowser, findProgram } from './programs.ts';

const START_MS = 20_000;
/** The Enter key, as WebDriver writes it. */
const ENTER = '\uE007';

const [driver, screen, miniBrowser] = [findProgram('WebKitWebDriver'), findProgram('Xvfb'), findMiniBrowser()];

/** Starts a screen that nobody sees. Returns its process and the display's name. */
async function openScreen(path: string): Promise<{ process: ChildProcess; display: string }> {
  // Xvfb chooses a free display, and writes its number to file 3.
  const process = spawn(path, ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const said = process.stdio[3] as NodeJS.ReadableStream;
  const [number] = (await once(createInterface(said), 'line', { signal: AbortSignal.timeout(START_MS) })) as [string];
  return { process, display: `:${number}` };
}

/** Calls WebDriver (W3C), whose answers and errors are both under `value`. */
async function call<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const reply = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(60_000) });
  const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } };
  if (!reply.ok) throw new Error(`WebDriver: ${value.error} ${value.message}`);
  return value;
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + START_MS;
  for (;;) {
    const { ready } = await call<{ ready: boolean }>(`${url}/status`).catch(() => ({ ready: false }));
    if (ready) return;
    if (Date.now() > end) throw new Error('WebKitWebDriver did not start.');
    await setTimeout(50);
  }
}

interface Session {
  sessionId: string;
  capabilities: { browserName: string; browserVersion: string };
}

async function newSession(url: string): Promise<Session> {
  const alwaysMatch = { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation', '--geometry=1280x1000'] } };
  return call<Session>(`${url}/session`, { capabilities: { alwaysMatch } });
}

/** The browser of a session; `end` stops what was started for it. */
function browserOf({ sessionId, capabilities }: Session, driverUrl: string, end: () => void): Browser {
  const url = `${driverUrl}/session/${sessionId}`;
  const act = async (actions: object) => {
    await call(`${url}/actions`, { actions: [actions] });
  };
  return {
    name: `WebKit (${capabilities.browserName} ${capabilities.browserVersion})`,
    async open(address) {
      await call(`${url}/url`, { url: address });
    },
    run: (script, ...args) => call(`${url}/execute/sync`, { script, args }),
    async click(x, y) {
      const move = { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) };
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [move, ...press] });
    },
    async type(text) {
      const keys = [...text.replaceAll('\n', ENTER)];
      const actions = keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await act({ type: 'key', id: 'keyboard', actions });
    },
    async close() {
      await call(url, undefined, 'DELETE').catch(() => undefined);
      end();
    },
  };
}

/** WebKit as WebKitGTK has it, on a screen that nobody sees, driven by its own WebDriver. */
export const webkit: Startable = {
  name: 'WebKit',
  lacks: [...(driver && miniBrowser ? [] : ['webkit2gtk-driver']), ...(screen ? [] : ['xvfb'])],
  async start() {
    const { process: xvfb, display } = await openScreen(screen ?? '');
    const port = String(await freePort());
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11' };
    const web = spawn(driver ?? '', [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' });
    const end = () => {
      web.kill();
      xvfb.kill();
    };
    try {
      const url = `http://127.0.0.1:${port}`;
      await untilReady(url);
      return browserOf(await newSession(url), url, end);
    } catch (error) {
      end();
      throw error;
    }
  },
};
