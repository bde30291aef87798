import type { Code } from './browser/code.ts';

/**
 * Stands in the page itself, so that no lost request can keep it away: it imports nothing. Loads the page's scripts once what is seen first
 * stands: its large pictures and a frame painted with them. On a slow line they would take their share of it from the pictures. A touch or a key
 * starts them at once.
 */
const LONGEST_MS = 2_000;
/** The pauses before each try to fetch a file. */
const PAUSES_MS = [0, 500, 2_000];
/** How long until files that did not come are asked for again, unless the connection is back or somebody asks sooner. */
const AGAIN_MS = 30_000;

const once = (target: EventTarget, ...names: string[]) =>
  new Promise((resolve) => {
    for (const name of names) target.addEventListener(name, resolve, { once: true, passive: true });
  });
const wait = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

async function painted(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('img[fetchpriority="high"]')];
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
  // The next frame holds them; the one after it begins when that has been painted.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Fetches a whole file into the browser's cache. */
async function fetchFile(href: string, priority: RequestPriority): Promise<void> {
  for (const pause of PAUSES_MS) {
    if (pause > 0) await wait(pause);
    const reply = await fetch(href, { priority }).catch(() => undefined);
    if (reply?.ok && (await reply.arrayBuffer().catch(() => undefined))) return;
  }
  throw new Error('Part of this page has not loaded. Please check your connection and try again.');
}

const fetched = new Map<string, Promise<void>>();
let needsReload = false;
let asked: Promise<unknown> | undefined;

/**
 * Imports a module whose files, those that it imports among them, are fetched first: browsers never ask again for a module that failed to load
 * once (decision 76), but a file can be fetched as often as it takes.
 */
async function load<T>(read: () => Promise<T>, files: string[], priority: RequestPriority = 'auto'): Promise<T> {
  const fetches = files.map((href) => {
    const known = fetched.get(href) ?? fetchFile(href, priority);
    fetched.set(href, known);
    known.catch(() => fetched.delete(href));
    return known;
  });
  await Promise.all(fetches);
  return read().catch((error: unknown) => {
    needsReload = true;
    throw error;
  });
}

async function ask(): Promise<void> {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'btn btn-primary',
    textContent: 'Try again',
  });
  const bar = Object.assign(document.createElement('div'), { className: 'load-failed', role: 'alert' });
  bar.append('Part of this page has not loaded.', button);
  document.body.append(bar);
  button.addEventListener('click', () => needsReload && location.reload());
  await Promise.race([once(button, 'click'), once(window, 'online'), wait(AGAIN_MS)]);
  bar.remove();
}

/** Says that part of the page is missing; resolves when it is to be asked for again. One bar, however many parts are missing. */
function askAgain(): Promise<unknown> {
  asked ??= ask().finally(() => {
    asked = undefined;
  });
  return asked;
}

/** Notes on the page that the browser can draw in 3D, which what needs it waits for. */
function noteWebgl(): void {
  const { dataset } = document.documentElement;
  if (!('webgl' in dataset) && document.createElement('canvas').getContext('webgl2')) dataset.webgl = '';
}

/** What React has not taken over yet: the whole page (document.ts), then the parts whose code comes later (`parts/lazy-part.tsx`). */
const LATER = 'data-later';
const isLater = (element: Element) => element.closest(`[${LATER}]`) !== null;

/** The button or form that was the last thing a visitor used before React had it. */
let early: HTMLButtonElement | HTMLFormElement | null = null;

/**
 * Remembers an early click on a button, which would do nothing, and an early submit, whose button then looks busy (styles.css). Whatever is done
 * after a click takes its place. Links work without React, and so does a GET form as long as React has nothing of the page.
 */
function rememberEarly(event: Event): void {
  const { type, target } = event;
  const element = target as Element;
  if (type === 'submit') {
    const form = element as HTMLFormElement;
    const waits = isLater(form) && (form.method === 'dialog' || 'ready' in document.documentElement.dataset);
    early = waits ? form : null;
    if (!waits) return;
    event.preventDefault();
    form.dataset.sent = '';
  } else if (!(early instanceof HTMLFormElement)) {
    const button = type === 'click' ? element.closest<HTMLButtonElement>('button:enabled') : null;
    early = button && isLater(button) ? button : null;
  }
}

/** Does again what waited for React, once it has what stands in `element`. */
function takeOver(element: Element): void {
  element.removeAttribute(LATER);
  // After what was typed early has been drawn (`useEarlyInput`).
  setTimeout(() => {
    if (!early?.isConnected || isLater(early)) return;
    const repeated = early;
    early = null;
    repeated.removeAttribute('data-sent');
    if (repeated instanceof HTMLFormElement) repeated.requestSubmit();
    else repeated.click();
  });
}

/** What code that is loaded later uses (`browser/code.ts`, vite.config.ts). */
const code: Code = { load, askAgain, noteWebgl, takeOver };

/** What the page says of its scripts. */
const { then: later = '', report = '' } = (document.querySelector('script[data-then]') as HTMLScriptElement).dataset;

/** Loads the packages by themselves first, with a pause behind them in which the browser can answer a touch: together it is one long piece of work. */
async function loadPage(): Promise<void> {
  const files = later.split(' ');
  const [entry = '', ...chunks] = files;
  const readAll = async () => {
    for (const href of files)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }));
    for (const href of [...chunks.filter((chunk) => chunk.includes('vendor')), entry]) {
      await import(/* @vite-ignore */ href);
      await wait();
    }
  };
  while (true) {
    try {
      return await load(readAll, files, 'low');
    } catch {
      if (needsReload && canReload()) return location.reload();
      await askAgain();
    }
  }
}

let isTyped = false;

/** Whether the page may be loaded anew by itself: once, and as long as nothing was typed into it. */
function canReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !isTyped && navigation?.type !== 'reload';
}

async function start(): Promise<void> {
  addEventListener('input', () => (isTyped = true), { once: true });
  await Promise.race([painted(), once(window, 'pointerdown', 'keydown'), wait(LONGEST_MS)]);
  if (document.querySelector('.needs-webgl')) noteWebgl();
  await loadPage();
}

/**
 * New Arrivals scrolls to the top on load (specification §2), also when it is loaded again: there browsers return to where the page was
 * left. Back and Forward are no such load, and still return to that place.
 */
function startAtTop(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type !== 'reload' || !/^\/newarrivals\/?$/.test(location.pathname)) return;
  history.scrollRestoration = 'manual';
  window.scrollTo({ top: 0, behavior: 'instant' });
}

/** What nobody caught is told to the shop, by code that is loaded for it (`report-error.ts`). */
function reportErrors(): void {
  for (const name of ['error', 'unhandledrejection'])
    addEventListener(name, (event) => import(/* @vite-ignore */ report).then((module) => module.report(event)));
}

Object.assign(window, { code });
startAtTop();
for (const name of ['click', 'keydown', 'input', 'submit']) addEventListener(name, rememberEarly, true);
reportErrors();
void start();
