import { Heart } from 'lucide';
import { useState } from 'react';
import { useStore } from 'react-redux';
import { TOO_MANY_WISHES } from '#contract/platform/limits.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { dropWish, isSameWish, keptWishes, saveWish, wishMatches } from '#web/browser/wishes.ts';
import type { AppStore } from '#web/state/store.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast.ts';
import { followWishes } from './follow-wishes.ts';

export interface HeartProps {
  id: string;
  name: string;
  /** Undefined if no size or colour is chosen. */
  size?: string | undefined;
  color?: string | undefined;
  /** The button is for this one wish, as on a wish list. Elsewhere it is for all wishes that match the choice. */
  isExact?: boolean;
  className?: string;
}

/** Adds a variant to the wish list or removes it. */
export function HeartButton({ id, name, size, color, isExact = false, className = '' }: HeartProps) {
  const store = useStore() as AppStore;
  const wish = { _id: id, size: size ?? null, color: color ?? null };
  const matches = isExact ? isSameWish : wishMatches;
  const isSaved = useStoredValue(keptWishes)?.wishes.some((one) => matches(one, wish)) ?? false;
  const [announcement, setAnnouncement] = useState('');
  const toggle = () => {
    if (isSaved) dropWish(wish, matches);
    else if (saveWish(wish) === 'full') return toast.error(TOO_MANY_WISHES);
    setAnnouncement(`${name} ${isSaved ? 'is no longer' : 'is now'} on your wish list.`);
    followWishes(store);
  };
  return (
    <>
      <IconButton
        label={`${isSaved ? 'Saved:' : 'Save'} ${name}`}
        className={`rounded-full bg-page/90 noscript:hidden ${isSaved ? 'text-clay' : ''} ${className}`}
        onClick={toggle}
      >
        <Icon of={Heart} className={isSaved ? 'fill-current' : ''} />
      </IconButton>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </>
  );
}
