import { type ReactNode, useContext } from 'react';
import { MarketContext } from '#web/state/store.ts';
import { Picture } from '#web/ui/picture.tsx';

interface BoughtLineProps {
  line: { name: string; size?: string | null | undefined; colourName?: string | null | undefined; qty: number; price: number };
  picture: string;
  children?: ReactNode;
}

/** A line of a cart or a new order: picture, name, choice × quantity, and its total. */
export function BoughtLine({ line: { name, size, colourName, qty, price }, picture, children }: BoughtLineProps) {
  const market = useContext(MarketContext);
  return (
    <li className="grid grid-cols-[3.5rem_1fr_auto] items-center gap-3">
      <Picture src={picture} alt="" sizes="3.5rem" className="rounded-soft" />
      <span className="leading-snug">
        {name}
        <span className="block text-sm text-soft">{`${[size, colourName].filter(Boolean).join(', ')} ×\u00a0${qty}`.trim()}</span>
      </span>
      <span>{market.shopPrice(price * qty)}</span>
      {children}
    </li>
  );
}
