import { useContext } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { howItComesBack, RETURN_DAYS } from '#contract/returns/return-days.ts';
import { RETURN_REASON_NAMES, RETURN_REASONS } from '#contract/returns/return-reasons.ts';
import { CompanyContext } from '#web/state/store.ts';

interface HowBackProps {
  order: Order;
  pieces: readonly { line: number }[];
  reason: string;
}

/** How the pieces of a return come back, and who pays. They come back together, and are collected if one of them is large. */
export function HowBack({ order, pieces, reason }: HowBackProps) {
  const { collectsReturns } = useContext(CompanyContext);
  if (pieces.length === 0) return null;
  const isCollected = collectsReturns || pieces.some(({ line }) => order.carriedByTwo.includes(line));
  const isOurs = RETURN_REASON_NAMES.some((name) => name === reason && RETURN_REASONS[name].isOurs);
  const how =
    isOurs && !isCollected ? `you post it back within ${RETURN_DAYS.send} days, and we pay for the postage` : howItComesBack(isCollected);
  return <p className="text-sm text-soft">{how.replace(/^./, (first) => first.toUpperCase())}.</p>;
}
