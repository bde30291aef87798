import { Heart } from 'lucide';
import { useStore } from 'react-redux';
import { TOO_MANY_WISHES } from '#contract/platform/limits.ts';
import { useKept } from '#web/browser/stored-value.ts';
import { dropWish, isMeant, keptWishes, saveWish } from '#web/browser/wishes.ts';
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
  className?: string;
}

/** Adds a variant to the wish list or removes it. */
export function HeartButton({ id, name, size, color, className = '' }: HeartProps) {
  const store = useStore() as AppStore;
  const wish = { _id: id, size: size ?? null, color: color ?? null };
  const isSaved = useKept(keptWishes)?.wishes.some((one) => isMeant(one, wish)) ?? false;
  const toggle = () => {
    if (isSaved) dropWish(wish);
    else if (!saveWish(wish)) return toast.error(TOO_MANY_WISHES);
    followWishes(store);
  };
  return (
    <IconButton
      label={`${isSaved ? 'Saved:' : 'Save'} ${name}`}
      className={`rounded-full bg-page/90 noscript:hidden ${isSaved ? 'text-clay' : ''} ${className}`}
      onClick={toggle}
    >
      <Icon of={Heart} className={isSaved ? 'fill-current' : ''} />
    </IconButton>
  );
}
