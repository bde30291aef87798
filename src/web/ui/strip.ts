import { type RefObject, useCallback, useRef, useState } from 'react';

export interface Strip<E extends HTMLElement> {
  ref: RefObject<E | null>;
  /** The index of the shown picture. */
  index: number;
  /** For the strip: follows scrolling by finger, wheel or key. */
  onScroll: () => void;
  /** Shows a picture; wraps around at both ends. */
  show: (index: number) => void;
}

/**
 * A row of pictures scrolled and snapped by the browser, also without scripts. `show` sets the index at once, so that a second press counts
 * from there.
 */
export function useStrip<E extends HTMLElement>(count: number): Strip<E> {
  const ref = useRef<E>(null);
  const [index, setIndex] = useState(0);
  /** The picture that `show` scrolls to, and how much of the way is left. It ends once the row moves away from that picture: the visitor scrolls. */
  const way = useRef<{ to: number; rest: number }>(undefined);
  const onScroll = useCallback(() => {
    const { scrollLeft = 0, clientWidth = 0 } = ref.current ?? {};
    if (clientWidth === 0) return;
    const place = scrollLeft / clientWidth;
    const { to, rest } = way.current ?? { to: 0, rest: 0 };
    const newRest = Math.abs(to - place);
    way.current = newRest < rest ? { to, rest: newRest } : undefined;
    setIndex(way.current ? to : Math.round(place));
  }, []);
  const show = useCallback(
    (wanted: number) => {
      const to = (wanted + count) % count;
      way.current = { to, rest: count };
      setIndex(to);
      ref.current?.scrollTo({ left: to * ref.current.clientWidth });
    },
    [count],
  );
  return { ref, index, onScroll, show };
}
