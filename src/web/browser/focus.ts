import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The state of a link that leads to a page of its own, although the path may stay: from one list of the shop to another. */
export const TO_PAGE = { isPage: true };

/** Moves the focus to the heading of a new page, for keyboards and screen readers. */
export function useFocusOnNavigation(): void {
  const { pathname, state, key } = useLocation();
  const isPage = useNavigationType() === 'PUSH' && (state as Partial<typeof TO_PAGE> | null)?.isPage === true;
  const last = useRef({ pathname, key });
  useEffect(() => {
    const before = last.current;
    last.current = { pathname, key };
    if (before.pathname !== pathname || (isPage && before.key !== key)) focusHeading();
  }, [pathname, key, isPage]);
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
