import { type ComponentType, lazy, Suspense, useEffect, useMemo, useRef } from 'react';

/** How far below the screen a part's code is loaded, so that it is there when the part comes into sight. */
const AHEAD = '200px 0px';

interface Options {
  /** The beginning of a `#…` in the address that leads to the part: it is loaded then, wherever it stands. */
  hash?: string;
  /** The empty space that stands there until the first load, on a page that was reached by a link inside the shop. */
  height?: string;
}

/** A part of a page, which `Nearby` shows. */
export interface NearbyPart<P extends object> extends Options {
  Part: ComponentType<P>;
  /** Lets its code be loaded. */
  load: () => void;
}

/** A part whose code is loaded when its place comes near the screen. */
export function nearby<P extends object>(read: () => Promise<ComponentType<P>>, options: Options = {}): NearbyPart<P> {
  let load: () => void = () => undefined;
  const isNear = new Promise<void>((resolve) => {
    load = resolve;
  });
  const Part = lazy(async () => {
    await isNear;
    return { default: await read() };
  });
  return { Part: Part as unknown as ComponentType<P>, load, ...options };
}

/** The same on the server, where the part is there from the start. */
export const here = <P extends object>(Part: ComponentType<P>): NearbyPart<P> => ({ Part, load: () => undefined });

/**
 * The place of such a part. What the server has rendered is read at once and without scripts, and stays until the code is there and takes it
 * over. It is rendered again only where `props` are other ones, so that nothing else on the page disturbs it before.
 */
export function Nearby<P extends object>({ part, props }: { part: NearbyPart<P>; props: P }) {
  const place = useRef<HTMLDivElement>(null);
  const { Part, load, hash, height } = part;
  useEffect(() => {
    if (!place.current) return;
    if (hash && location.hash.startsWith(hash)) load();
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(), {
      rootMargin: AHEAD,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [load, hash]);
  const key = Object.values(props);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values of the props, not the object that carries them.
  const shown = useMemo(() => <Part {...props} />, [Part, ...key]);
  return (
    <div ref={place}>
      <Suspense fallback={<div style={{ height }} />}>{shown}</Suspense>
    </div>
  );
}
