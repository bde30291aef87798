import { useEffect } from 'react';
import { useIsStored, WISHLIST_KEY } from '#web/browser/browser-storage.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import type { HeartProps } from './heart-button.tsx';

const HeartButton = lazyPart(async () => (await import('./heart-button.tsx')).HeartButton, { when: 'touched' });

/** The heart button. Its code loads at the first interaction, and at once if there are wishes, to show which are saved. */
export function Heart(props: HeartProps) {
  const isUsed = useIsStored(WISHLIST_KEY);
  useEffect(() => {
    if (isUsed) void HeartButton.load();
  }, [isUsed]);
  return <HeartButton {...props} />;
}
