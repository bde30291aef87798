import { type ComponentType, lazy, memo, type ReactNode, type RefObject, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import { loadPatiently } from '#web/browser/code.ts';

/** How far below the screen a part may be when its code is sent for. */
const NEAR = '200px';

/** Signs of a person. The last one is Back, Forward and another place on the page: React would throw away what it shows but has not taken over. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'change', 'popstate'];

interface Options {
  /**
   * When the code is sent for: as the part is drawn, as it comes near the screen, or at the first sign of a person. Until the code is there the
   * page keeps what the server rendered.
   */
  when?: 'drawn' | 'near' | 'touched';
  /** Shown until the code is there, where the browser draws the page itself. */
  fallback?: ReactNode;
}

/** Calls back once an element comes near the screen, or once something on the page was chosen, which the part may show. Returns how to stop. */
function onceNear(element: Element, run: () => void): () => void {
  const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && run(), {
    rootMargin: NEAR,
  });
  observer.observe(element);
  window.addEventListener('change', run);
  return () => {
    observer.disconnect();
    window.removeEventListener('change', run);
  };
}

/**
 * Calls back at the first sign of a person; at once on a page that the browser drew itself, which has nothing to show until then, and where the
 * address names a place on the page, which the part may open.
 */
function onceTouched(run: () => void): () => void {
  if ('ready' in document.documentElement.dataset || location.hash) run();
  for (const type of SIGNS) window.addEventListener(type, run, { passive: true, capture: true });
  return () => {
    for (const type of SIGNS) window.removeEventListener(type, run, { capture: true });
  };
}

/** Tells the page that React has taken over what stands in a part's box. */
function TakenOver({ box }: { box: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    if (box.current) window.code.takeOver(box.current);
  }, [box]);
  return null;
}

/**
 * Declares a part of a page whose code is loaded by itself: `lazyPart(async () => (await import('./x.tsx')).X)`. The server waits for the code and
 * renders the part. `load` sends for the code and resolves once it is there, or cannot be had for now.
 */
export function lazyPart<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  { when = 'drawn', fallback = null }: Options = {},
): ComponentType<Props> & { load: () => Promise<unknown> } {
  let want = () => {};
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const Content = lazy<ComponentType<object>>(async () => {
    if (!import.meta.env.SSR && when !== 'drawn') await wanted;
    return { default: (await loadPatiently(read)) as ComponentType<object> };
  });
  const load = () => {
    want();
    return read().catch(() => undefined);
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when its module is loaded.
  const Drawn = (props: Props) => (
    <Suspense fallback={fallback}>
      <Content {...props} />
    </Suspense>
  );
  if (when === 'drawn') return Object.assign(Drawn, { load });

  // Memoised, since only new props may reach a boundary that is not hydrated yet: React would throw its content away and draw it anew.
  // biome-ignore lint/correctness/noComponentHookFactories: as above.
  const Boundary = memo(({ box, ...props }: { box: RefObject<HTMLElement | null> }) => (
    <Suspense fallback={fallback}>
      <Content {...props} />
      <TakenOver box={box} />
    </Suspense>
  ));
  // biome-ignore lint/correctness/noComponentHookFactories: as above.
  const Later = (props: Props) => {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => (when === 'near' && box.current ? onceNear(box.current, want) : onceTouched(want)), []);
    // What is shown stays until new props can be: their code may have to be loaded first.
    const shown = useDeferredValue(props);
    return (
      <div ref={box} data-later="">
        <Boundary {...shown} box={box} />
      </div>
    );
  };
  return Object.assign(Later, { load });
}
