import type { Code } from './browser/code.ts';

/**
 * Inlined into the page, without imports, so that no lost request can stop it. Loads the page's scripts, and lets its lazy pictures load, once the first
 * screen's large pictures are loaded and painted, since both would compete with them on a slow line; at once on a touch or key. On simulated slow 4G the
 * largest contentful paint is at 1.6 to 1.8 s, with module scripts in the page at 2.8 to 3.3 s, and with `fetchpriority="low"` at 2.3 to 2.6 s.
 */

/** The longest wait for those pictures. */
const LONGEST_MS = 2_000;
/** Pauses before each try to fetch a file. */
const PAUSES_MS = [0, 500, 2_000];
/** The pause before missing files are requested again, unless the connection returns or the visitor asks. */
const AGAIN_MS = 30_000;

const once = (target: EventTarget, ...names: string[]) =>
  new Promise((resolve) => {
    for (const name of names) target.addEventListener(name, resolve, { once: true, passive: true });
  });
const wait = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

async function painted(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('img[fetchpriority="high"]')].filter(({ offsetParent }) => offsetParent);
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
  // The frame after the next begins once the pictures are painted.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

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
let asking: Promise<unknown> | undefined;

/** Imports a module after fetching its files: browsers never request a failed module again (decision 76), but files can be fetched repeatedly. */
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

/** Says that part of the page is missing; resolves when it should be requested again. One bar for all parts. */
function askAgain(): Promise<unknown> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** Marks the page once the browser is known to draw in 3D. */
function noteWebgl(): void {
  const { dataset } = document.documentElement;
  if (!('webgl' in dataset) && document.createElement('canvas').getContext('webgl2')) dataset.webgl = '';
}

/** Marks what is not hydrated yet: the whole page (document.ts), then lazy parts (`parts/lazy-part.tsx`). */
const LATER = 'data-later';
const isLater = (element: Element) => element.closest(`[${LATER}]`) !== null;

/** The last button or form used before hydration. */
let early: HTMLButtonElement | HTMLFormElement | null = null;

/**
 * Remembers an early click on a button, or an early submit, whose button then looks busy (styles.css). Any later action replaces a click, only
 * another submit a submit. Links work without React, as do GET forms until hydration begins.
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

/** Repeats the early action once its `element` is hydrated. */
function takeOver(element: Element): void {
  element.removeAttribute(LATER);
  // After early input was rendered (`useEarlyInput`).
  setTimeout(() => {
    if (!early?.isConnected || isLater(early)) return;
    const repeated = early;
    early = null;
    repeated.removeAttribute('data-sent');
    if (repeated instanceof HTMLFormElement) repeated.requestSubmit();
    else repeated.click();
  });
}

/** For lazily loaded code (`browser/code.ts`, vite.config.ts). */
const code: Code = { load, askAgain, noteWebgl, takeOver };

const { then: pageScripts = '', report = '' } = (document.querySelector('script[data-then]') as HTMLScriptElement).dataset;

/** Runs the packages' chunks first, and pauses after each, so that the browser can answer a touch. */
async function loadPage(): Promise<void> {
  const files = pageScripts.split(' ');
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

/** Whether the page may reload by itself: once, and only before anything was typed. */
function canReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !isTyped && navigation?.type !== 'reload';
}

async function start(): Promise<void> {
  addEventListener('input', () => (isTyped = true), { once: true });
  await Promise.race([painted(), once(window, 'pointerdown', 'keydown'), wait(LONGEST_MS)]);
  // Now lazy pictures too (styles.css).
  document.documentElement.dataset.painted = '';
  if (document.querySelector('.needs-webgl')) noteWebgl();
  await loadPage();
}

/**
 * New Arrivals scrolls to the top on load (specification §2), also on a reload, where browsers restore the position. Back and Forward still
 * restore it.
 */
function startAtTop(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type !== 'reload' || !/^\/newarrivals\/?$/.test(location.pathname)) return;
  history.scrollRestoration = 'manual';
  window.scrollTo({ top: 0, behavior: 'instant' });
}

/** Marks the page where this browser's cart (specification §3) is empty: the cart's page then shows it at once. */
function noteEmptyCart(): void {
  try {
    if ((localStorage.getItem('cartItems') ?? '[]') === '[]') document.documentElement.dataset.emptyCart = '';
  } catch {
    // Without storage the page's own code decides.
  }
}

/** Reports uncaught errors by lazily loaded code (`report-error.ts`). */
function reportErrors(): void {
  for (const name of ['error', 'unhandledrejection'])
    addEventListener(name, (event) => import(/* @vite-ignore */ report).then((module) => module.report(event)));
}

Object.assign(window, { code });
startAtTop();
noteEmptyCart();
for (const name of ['click', 'keydown', 'input', 'submit']) addEventListener(name, rememberEarly, true);
reportErrors();
void start();
