import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import type { StepName } from '#contract/orders/steps.ts';
import { doubtOf, StageButtons } from './stage-buttons.tsx';

/** The texts of the buttons with the look of the usual next step. */
function primaryOf(status: Order['status'], can: StepName[]): string[] {
  const order = { status, can, paymentMethod: 'Cash on Delivery', amountDue: 0 } as unknown as Order;
  const nothing = () => undefined;
  const html = renderToStaticMarkup(createElement(StageButtons, { order, actions: { pending: '', take: nothing }, onDispatch: nothing }));
  return [...html.matchAll(/<button[^>]*btn-primary[^>]*>(.*?)<\/button>/g)].map(([, inside = '']) => inside.replace(/<[^>]*>/g, ''));
}

test('the usual next step stands out; taking a delivery back is never usual', () => {
  expect(primaryOf('placed', ['pack', 'dispatch', 'deliver'])).toEqual(['Start packing']);
  expect(primaryOf('partly_dispatched', ['dispatch', 'deliver'])).toEqual(['Dispatch the rest']);
  expect(primaryOf('dispatched', ['failDelivery', 'takeBackDispatch', 'deliver'])).toEqual(['Mark as delivered']);
  expect(primaryOf('delivered', ['takeBackDelivery', 'refund'])).toEqual([]);
});

test('an order of which pieces have not left is marked as delivered only after a question that names them', () => {
  const item = (name: string) => ({ name, qty: 1, cancelledQty: 0, returnedQty: 0, spoiledQty: 0 });
  const order = {
    status: 'partly_dispatched',
    paymentMethod: 'Credit Card',
    amountDue: 0,
    orderItems: [item('Oslo Sofa'), item('Callow Lamp')],
    parcels: [{ status: 'sent', pieces: [{ line: 0, qty: 1 }] }],
  } as unknown as Order;
  expect(doubtOf(order, 'deliver')?.question).toBe('Not dispatched yet: 1 × Callow Lamp. Mark it as delivered all the same?');
  expect(doubtOf({ ...order, paymentMethod: 'Online Payment', amountDue: 4_000 }, 'deliver')?.question).toBe(
    'Not paid yet: £40.00. Not dispatched yet: 1 × Callow Lamp. Mark it as delivered all the same?',
  );
  expect(doubtOf(order, 'dispatch')).toBeUndefined();
  expect(doubtOf({ ...order, status: 'dispatched' }, 'deliver')).toBeUndefined();
});
