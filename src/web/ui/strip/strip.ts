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

/** A row of pictures as wide as its frame, which the browser itself scrolls and snaps: it moves with the first touch, and without scripts. */
export function useStrip<E extends HTMLElement>(count: number): Strip<E> {
  const ref = useRef<E>(null);
  const [index, setIndex] = useState(0);
  const onScroll = useCallback(() => {
    const { scrollLeft = 0, clientWidth = 0 } = ref.current ?? {};
    if (clientWidth > 0) setIndex(Math.round(scrollLeft / clientWidth));
  }, []);
  const show = useCallback(
    (wanted: number) => {
      const strip = ref.current;
      strip?.scrollTo({ left: ((wanted + count) % count) * strip.clientWidth });
    },
    [count],
  );
  return { ref, index, onScroll, show };
}
