import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';

/** How far below the screen a part's code is loaded, so that it is there when the part comes into sight. */
const AHEAD = '75% 0px';

/**
 * A part of a page whose code is loaded when its place comes near the screen. The server renders it as it is (`import.meta.env.SSR`), so that it
 * can be read at once and without scripts; in the browser what the server sent stays until the code is there and takes it over. `hash` is a part
 * of the address that leads to it, which loads it wherever it stands. Until the first load a page that was reached by a link shows `height` of
 * empty space there.
 */
export function nearby<P extends object>(load: () => Promise<ComponentType<P>>, { hash, height }: { hash?: string; height?: string } = {}) {
  let release: () => void = () => undefined;
  const isNear = new Promise<void>((resolve) => {
    release = resolve;
  });
  const Part = lazy(async () => {
    await isNear;
    return { default: await load() };
  });
  return function Nearby(props: P) {
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (!place.current) return;
      if (hash && location.hash.startsWith(hash)) release();
      const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && release(), {
        rootMargin: AHEAD,
      });
      observer.observe(place.current);
      return () => observer.disconnect();
    }, []);
    return (
      <div ref={place}>
        <Suspense fallback={<div style={{ height }} />}>
          <Part {...props} />
        </Suspense>
      </div>
    );
  };
}

/** The same place on the server, where the part is there from the start. */
export function here<P extends object>(Part: ComponentType<P>) {
  return function Here(props: P) {
    return (
      <div>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </div>
    );
  };
}
