/**
 * Loads the page's scripts once what is seen first stands: its large pictures and a frame painted with them. On a slow line they would
 * take their share of it from the pictures. Whoever touches the page before that starts them at once.
 */
const LONGEST_MS = 2_000;

const once = (target: EventTarget, ...names: string[]) =>
  new Promise((resolve) => {
    for (const name of names) target.addEventListener(name, resolve, { once: true, passive: true });
  });

async function painted(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('img[fetchpriority="high"]')];
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
  // The next frame holds them; the one after it begins when that has been painted.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

/** What the page says of its scripts. */
const { then: later = '', report = '' } = (document.querySelector('script[data-then]') as HTMLScriptElement).dataset;

async function start(): Promise<void> {
  const tooLong = new Promise((resolve) => setTimeout(resolve, LONGEST_MS));
  await Promise.race([painted(), once(window, 'pointerdown', 'keydown'), tooLong]);
  const [entry = '', ...chunks] = later.split(' ');
  for (const href of chunks)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }));
  // The packages by themselves first, with a pause behind them in which the browser can answer a touch: together it is one long piece of work.
  for (const href of [...chunks.filter((chunk) => chunk.includes('vendor')), entry]) {
    await import(/* @vite-ignore */ href);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * New Arrivals scrolls to the top on load (specification §2), also when it is loaded again: there browsers return to where the page was
 * left. Back and Forward are no such load, and still return to that place.
 */
function startAtTop(): void {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (load?.type !== 'reload' || !/^\/newarrivals\/?$/.test(location.pathname)) return;
  history.scrollRestoration = 'manual';
  window.scrollTo({ top: 0, behavior: 'instant' });
}

/**
 * A form that is sent before its script is there would do nothing. That it was sent is noted on the form, which shows its button as busy
 * (styles.css), and it is sent once its script is there (`ui/form/early.ts`). A form that has its script takes the note off at once.
 */
function noteEarlySubmit(): void {
  addEventListener('submit', ({ target }) => (target as Element).toggleAttribute('data-sent', true), true);
}

/** What nobody caught is told to the shop, by code that is loaded for it (`report-error.ts`). */
function reportErrors(): void {
  for (const name of ['error', 'unhandledrejection'])
    addEventListener(name, (event) => import(/* @vite-ignore */ report).then((code) => code.report(event)));
}

startAtTop();
noteEarlySubmit();
reportErrors();
void start();
