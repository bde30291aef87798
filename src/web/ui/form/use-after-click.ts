import { useEffect, useRef } from 'react';

/**
 * Runs at once; with the mouse button down, after the click. Pressing the next thing leaves a field, and a message appearing then would move
 * that thing away from the pointer.
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
