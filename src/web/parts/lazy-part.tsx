import {
  type ComponentType,
  lazy,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import { loadPatiently } from '#web/browser/code.ts';

/** Distance below the screen at which a part's code is loaded. */
const NEAR = '200px';

/** Signs of a visitor. `popstate` too: React would discard a part that it has not hydrated. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'change', 'popstate'];

interface Options {
  /** When the code is loaded: on rendering, near the screen, or at the first sign of a visitor. Until then the server's HTML stays. */
  when?: 'drawn' | 'near' | 'touched';
  /** Shown until the code is loaded, where the browser renders the page itself. */
  fallback?: ReactNode;
}

/** For a part further down: what stands below it waits for it (`.skeleton` in `styles.css`). */
export const FAR_DOWN = { when: 'near', fallback: <div className="skeleton min-h-96" /> } as const;

/** Calls back at each of these events, in the capture phase. Returns its cleanup. Browsers take touches on the window as passive. */
function on(types: string[], run: () => void): () => void {
  for (const type of types) window.addEventListener(type, run, true);
  return () => {
    for (const type of types) window.removeEventListener(type, run, true);
  };
}

/**
 * Calls back once an element is near the screen, once any control changes, since the part may depend on it, or once a key is pressed, since Tab
 * passes over what is not there. Returns its cleanup.
 */
function onceNear(element: Element, run: () => void): () => void {
  // An observer ends with its element.
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && run(), { rootMargin: NEAR }).observe(element);
  return on(['change', 'keydown'], run);
}

/** Calls back at the first sign of a visitor; at once on a page rendered by the browser, or with a fragment that the part may open. */
function onceTouched(run: () => void): () => void {
  if ('ready' in document.documentElement.dataset || location.hash) run();
  return on(SIGNS, run);
}

interface HydratedProps {
  box: RefObject<HTMLElement | null>;
  onHydrated: () => void;
}

/** Marks a part as hydrated. */
function Hydrated({ box, onHydrated }: HydratedProps) {
  useEffect(() => {
    if (box.current) window.code.takeOver(box.current);
    onHydrated();
  }, [box, onHydrated]);
  return null;
}

/**
 * A lazily loaded part: `lazyPart(async () => (await import('./x.tsx')).X)`. The server waits for the code. `load` starts loading and resolves
 * when it has loaded or failed.
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

  // Memoised: React discards an unhydrated boundary whenever it gets new props.
  // biome-ignore lint/correctness/noComponentHookFactories: as above.
  const Boundary = memo(({ box, onHydrated, ...props }: HydratedProps) => (
    <Suspense fallback={fallback}>
      <Content {...props} />
      <Hydrated box={box} onHydrated={onHydrated} />
    </Suspense>
  ));
  // biome-ignore lint/correctness/noComponentHookFactories: as above.
  const Later = (props: Props) => {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => (when === 'near' && box.current ? onceNear(box.current, want) : onceTouched(want)), []);
    // Deferred until hydration, which new props would abort; afterwards current, so that a choice starts from the current URL.
    const deferred = useDeferredValue(props);
    const [isHydrated, setIsHydrated] = useState(false);
    const onHydrated = useCallback(() => setIsHydrated(true), []);
    return (
      <div ref={box} data-later="">
        <Boundary {...(isHydrated ? props : deferred)} box={box} onHydrated={onHydrated} />
      </div>
    );
  };
  return Object.assign(Later, { load });
}
