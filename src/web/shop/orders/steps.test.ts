import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { stepsOf } from './steps.ts';

const at = (day: string) => `2026-11-${day}T10:00:00.000Z`;
const placed = {
  status: 'placed',
  createdAt: at('20'),
  paidAt: null,
  dispatchedAt: null,
  deliveredAt: null,
  isPaid: false,
  isDelivered: false,
  awaitsApproval: false,
  deliveryWindow: { from: '2026-11-30', to: '2026-12-03' },
  paymentMethod: 'Cash on Delivery',
  parcels: [],
} as const;
const paid = { ...placed, paymentMethod: 'Credit Card', isPaid: true, paidAt: at('20') } as const;
const dispatched = { ...paid, status: 'dispatched', dispatchedAt: at('24') } as const;
const expected = (expectedOn: string) => ({ status: 'sent' as const, expectedOn });
const WINDOW = 'Mon 30 Nov – Thu 3 Dec';

test.each<[string, Parameters<typeof stepsOf>[0], string[]]>([
  ['in cash', placed, ['done Placed 20 Nov 2026', 'next Dispatched', `later Delivered ${WINDOW}`, 'later Paid']],
  ['paid by card', paid, ['done Placed 20 Nov 2026', 'done Paid 20 Nov 2026', 'next Dispatched', `later Delivered ${WINDOW}`]],
  [
    'that is being checked',
    { ...placed, awaitsApproval: true },
    ['done Placed 20 Nov 2026', 'next Being checked', 'later Dispatched', `later Delivered ${WINDOW}`, 'later Paid'],
  ],
  [
    'by a payment that is waited for',
    { ...placed, paymentMethod: 'Online Payment', deliveryWindow: null },
    ['done Placed 20 Nov 2026', 'next Paid', 'later Dispatched', 'later Delivered'],
  ],
  [
    'that the courier has',
    dispatched,
    ['done Placed 20 Nov 2026', 'done Paid 20 Nov 2026', 'done Dispatched 24 Nov 2026', `next Delivered ${WINDOW}`],
  ],
  [
    'of which the courier has named the day',
    { ...dispatched, parcels: [{ status: 'sent', expectedOn: null }, expected('2026-11-26'), expected('2026-11-25')] },
    ['done Placed 20 Nov 2026', 'done Paid 20 Nov 2026', 'done Dispatched 24 Nov 2026', 'next Delivered Thu 26 Nov'],
  ],
  [
    'in cash that was delivered without a note of its dispatch',
    { ...placed, status: 'delivered', isDelivered: true, deliveredAt: at('30') },
    ['done Placed 20 Nov 2026', 'done Delivered 30 Nov 2026', 'next Paid'],
  ],
  [
    'that could not be delivered',
    { ...dispatched, status: 'delivery_failed' },
    ['done Placed 20 Nov 2026', 'done Paid 20 Nov 2026', 'done Dispatched 24 Nov 2026', 'ended Delivery failed'],
  ],
  ['that was cancelled', { ...placed, status: 'cancelled' }, ['done Placed 20 Nov 2026', 'ended Cancelled']],
  ['whose payment went back', { ...paid, status: 'refunded' }, ['done Placed 20 Nov 2026', 'done Paid 20 Nov 2026', 'ended Refunded']],
])('the steps of an order %s (§2.11.2)', (_, order, steps) => {
  const said = stepsOf(order as Order).map(({ state, name, when }) => [state, name, when].filter(Boolean).join(' '));
  expect(said.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(steps);
});
