import { useEffect } from 'react';
import { useIsStored, WISHLIST_KEY } from '#web/browser/browser-storage.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import type { HeartProps } from './heart-button.tsx';

const Button = lazyPart(async () => (await import('./heart-button.tsx')).HeartButton, { when: 'touched' });

/** Its code comes with the first sign of a visitor, and at once where pieces are saved, so that it shows which. */
export function Heart(props: HeartProps) {
  const isUsed = useIsStored(WISHLIST_KEY);
  useEffect(() => {
    if (isUsed) void Button.load();
  }, [isUsed]);
  return <Button {...props} />;
}
