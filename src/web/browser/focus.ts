import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Moves the focus to the heading of a new page, for keyboards and screen readers. */
export function useFocusOnNavigation(): void {
  useFocusOnChange(useLocation().pathname);
}

/** Moves the focus to the page's heading when the content changes, not at the first render. */
export function useFocusOnChange(content: unknown): void {
  const before = useRef(content);
  useEffect(() => {
    if (before.current === content) return;
    before.current = content;
    focusHeading();
  }, [content]);
}

/** Moves the focus to the page's heading, unless a dialog has it. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading || document.querySelector('dialog[open]')) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
