import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import type { StepName } from '#contract/orders/steps.ts';
import { StageButtons } from './stage-buttons.tsx';

/** The texts of the buttons with the look of the usual next step. */
function primaryOf(status: Order['status'], can: StepName[]): string[] {
  const order = { status, can, paymentMethod: 'Cash on Delivery', amountDue: 0 } as unknown as Order;
  const nothing = () => undefined;
  const html = renderToStaticMarkup(createElement(StageButtons, { order, actions: { pending: '', take: nothing }, onDispatch: nothing }));
  return [...html.matchAll(/<button[^>]*btn-primary[^>]*>(.*?)<\/button>/g)].map(([, inside = '']) => inside.replace(/<[^>]*>/g, ''));
}

test('the usual next step stands out; taking a delivery back is never usual', () => {
  expect(primaryOf('placed', ['pack', 'dispatch', 'deliver'])).toEqual(['Start packing']);
  expect(primaryOf('dispatched', ['failDelivery', 'takeBackDispatch', 'deliver'])).toEqual(['Mark as delivered']);
  expect(primaryOf('delivered', ['takeBackDelivery', 'refund'])).toEqual([]);
});
