import { type ComponentType, lazy, memo, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import { loadPatiently } from '#web/browser/code.ts';

/** How far below the screen a part may be when its code is sent for. */
const NEAR = '200px';

/** A part of a page whose code is loaded later. */
export interface LaterPart<Props> {
  /** The part where its code is there already, as on the server. */
  known: () => ComponentType<Props> | undefined;
  Lazy: ComponentType<Props>;
  /** Sends for the code. */
  want: () => void;
  /** Loads the code on the server, which renders the part; awaited by the page's loader. The browser's loader does not wait for it. */
  prepare: () => Promise<void>;
  when: When;
}

/** When a part's code is sent for: as it comes near the screen, or only as somebody touches the page, where what the server rendered does until then. */
type When = 'near' | 'touched';

/** Declares a part by how its code is loaded: `laterPart(() => import('./x.tsx').then(({ X }) => X))`. */
export function laterPart<Props extends object>(read: () => Promise<ComponentType<Props>>, when: When = 'near'): LaterPart<Props> {
  let known: ComponentType<Props> | undefined;
  let want = () => {};
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const Lazy = lazy<ComponentType<Props>>(async () => {
    await wanted;
    return { default: await loadPatiently(read) };
  });
  const prepare = async () => {
    if (import.meta.env.SSR) known ??= await read();
  };
  return { known: () => known, Lazy: Lazy as unknown as ComponentType<Props>, want, prepare, when };
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

/** The last one is Back, Forward and another place on the page, typed into the address: React would throw away what it shows but has not taken over. */
const TOUCHES = ['pointerdown', 'keydown', 'change', 'popstate'] as const;

/**
 * Calls back once somebody touches the page; at once on a page that the browser rendered itself, which has nothing to show until then, and where
 * the address names a place on the page, which the part may open.
 */
function onceTouched(run: () => void): () => void {
  if ('ready' in document.documentElement.dataset || location.hash) run();
  for (const type of TOUCHES) window.addEventListener(type, run, { passive: true, capture: true });
  return () => {
    for (const type of TOUCHES) window.removeEventListener(type, run, { capture: true });
  };
}

interface LaterProps<Props> {
  part: LaterPart<Props>;
  /** The class of the empty box that keeps the part's place on a page that the browser renders itself. */
  space: string;
  /** What the part is rendered with; the same object as before where nothing has changed. */
  props: Props;
}

// Memoised, since only new props may reach a boundary that is not hydrated yet: React would throw its content away and render it anew.
const Boundary = memo(({ part, space, props }: LaterProps<object>) => {
  const Part = part.known() ?? part.Lazy;
  return (
    <Suspense fallback={<div className={space} />}>
      <Part {...props} />
    </Suspense>
  );
});

/**
 * Renders a part far below a page's first screen, whose code loads when it comes near. The server renders it, and until its code is there the
 * browser keeps what the server rendered: a Suspense boundary that is hydrated later.
 */
export function Later<Props extends object>({ part, space, props }: LaterProps<Props>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (part.when === 'touched') return onceTouched(part.want);
    return box.current ? onceNear(box.current, part.want) : undefined;
  }, [part]);
  // What is shown stays until new props can be: their code may have to be loaded first.
  const shown = useDeferredValue(props);
  return (
    <div ref={box}>
      <Boundary part={part as unknown as LaterPart<object>} space={space} props={shown} />
    </div>
  );
}
