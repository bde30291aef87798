import { type RefObject, useCallback, useRef, useState } from 'react';

export interface Strip<E extends HTMLElement> {
  ref: RefObject<E | null>;
  /** The picture that is shown. */
  index: number;
  /** Belongs on the strip: follows what a finger, a wheel or a key has moved. */
  onScroll: () => void;
  /** Shows a picture; past an end comes the other end. */
  show: (index: number) => void;
}

/**
 * A row of pictures as wide as its frame, which the browser itself scrolls and snaps: it moves with the first touch, and without scripts.
 * A picture that was asked for is the shown one at once, not when the browser has scrolled there: a second press soon after counts from it.
 */
export function useStrip<E extends HTMLElement>(count: number): Strip<E> {
  const ref = useRef<E>(null);
  const [index, setIndex] = useState(0);
  /** The picture that is scrolled to, and how far it still was. Ends where the row moves away from it: somebody else moves it then. */
  const way = useRef<{ to: number; left: number }>(undefined);
  const onScroll = useCallback(() => {
    const { scrollLeft = 0, clientWidth = 0 } = ref.current ?? {};
    if (clientWidth === 0) return;
    const place = scrollLeft / clientWidth;
    const { to, left } = way.current ?? { to: 0, left: 0 };
    const rest = Math.abs(to - place);
    way.current = rest < left ? { to, left: rest } : undefined;
    setIndex(way.current ? to : Math.round(place));
  }, []);
  const show = useCallback(
    (wanted: number) => {
      const to = (wanted + count) % count;
      way.current = { to, left: count };
      setIndex(to);
      ref.current?.scrollTo({ left: to * ref.current.clientWidth });
    },
    [count],
  );
  return { ref, index, onScroll, show };
}
