import { ChevronLeft, ChevronRight } from 'lucide';
import { useEffect, useEffectEvent } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import type { Strip } from '#web/ui/strip.ts';

/** The least distance of a swipe. */
const SWIPE_PX = 40;
const AUTOPLAY_MS = 3000;

interface CardControlsProps {
  strip: Strip<HTMLUListElement>;
  count: number;
  name: string;
  /** Advances every 3 s, unless the visitor prefers reduced motion. */
  autoplay: boolean;
}

/** Wraps around at both ends, where native scrolling stops. */
function useLoop({ ref, index, show }: Strip<HTMLUListElement>, count: number): void {
  const wrap = useEffectEvent((startIndex: number, right: number) => {
    if (right > SWIPE_PX && startIndex === 0) show(count - 1);
    if (right < -SWIPE_PX && startIndex === count - 1) show(0);
  });
  const currentIndex = useEffectEvent(() => index);
  useEffect(() => {
    const element = ref.current;
    let start = { x: 0, index: -1 };
    const onStart = ({ touches }: TouchEvent) => {
      start = { x: touches[0]?.clientX ?? 0, index: currentIndex() };
    };
    const onEnd = ({ changedTouches }: TouchEvent) => wrap(start.index, (changedTouches[0]?.clientX ?? 0) - start.x);
    element?.addEventListener('touchstart', onStart, { passive: true });
    element?.addEventListener('touchend', onEnd, { passive: true });
    return () => {
      element?.removeEventListener('touchstart', onStart);
      element?.removeEventListener('touchend', onEnd);
    };
  }, [ref]);
}

function useAutoplay({ index, show }: Strip<HTMLUListElement>, isOn: boolean): void {
  const next = useEffectEvent(() => show(index + 1));
  useEffect(() => {
    if (!isOn || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setInterval(() => next(), AUTOPLAY_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

/** A card's carousel: wrapping around, and arrows on hover or focus. */
export function CardControls({ strip, count, name, autoplay }: CardControlsProps) {
  useLoop(strip, count);
  useAutoplay(strip, autoplay);
  const look = 'icon-btn pointer-events-auto bg-page/90 opacity-0 group-hover:opacity-100 group-has-focus-visible:opacity-100';
  return (
    <div className="pointer-events-none absolute inset-x-2 top-1/2 z-10 hidden -translate-y-1/2 justify-between group-has-focus-visible:flex pointer-fine:flex">
      <button type="button" className={look} aria-label={`Previous picture of ${name}`} onClick={() => strip.show(strip.index - 1)}>
        <Icon of={ChevronLeft} />
      </button>
      <button type="button" className={look} aria-label={`Next picture of ${name}`} onClick={() => strip.show(strip.index + 1)}>
        <Icon of={ChevronRight} />
      </button>
    </div>
  );
}
