import { useEffect, useRef } from 'react';

/**
 * Runs at once; or, when a button of the mouse is down, after its click. A field is left by the press on the next thing: a message
 * that comes or goes at that moment would move the thing away from under the pointer, and the click would miss it.
 */
export function useAfterClick(): (run: () => void) => void {
  const isDown = useRef(false);
  useEffect(() => {
    const note = ({ type }: Event) => {
      isDown.current = type === 'mousedown';
    };
    for (const type of ['mousedown', 'mouseup']) window.addEventListener(type, note, { capture: true });
    return () => {
      for (const type of ['mousedown', 'mouseup']) window.removeEventListener(type, note, { capture: true });
    };
  }, []);
  return (run) => {
    if (isDown.current) window.addEventListener('mouseup', () => setTimeout(run), { once: true });
    else run();
  };
}
