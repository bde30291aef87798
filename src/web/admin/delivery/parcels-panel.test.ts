import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Right } from '#contract/accounts/roles.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { StepName } from '#contract/orders/steps.ts';
import { OfficeContext } from '#web/admin/office/office-context.ts';
import { ParcelsPanel } from './parcels-panel.tsx';

const aParcel = (_id: string, status: Parcel['status']) =>
  ({
    _id,
    status,
    pieces: [],
    carrierName: '',
    trackingNumber: '',
    trackingUrl: '',
    amountDue: 0,
    sentAt: '2026-11-26T09:00:00Z',
  }) as unknown as Parcel;

/** The buttons of each parcel. */
function buttonsOf(parcels: Parcel[], can: StepName[], rights: Right[] = ['see orders', 'change orders']) {
  const order = { parcels, can, orderItems: [], isDelivered: false } as unknown as Order;
  const nothing = () => undefined;
  const props = { order, actions: { pending: '', take: nothing }, openParcel: '', onOpen: nothing, onClose: nothing, onDone: nothing };
  const office = { today: { rights } as never, error: '', recount: async () => undefined };
  const html = renderToStaticMarkup(createElement(OfficeContext, { value: office }, createElement(ParcelsPanel, props)));
  return html
    .split('<li')
    .slice(1)
    .map((parcel) => [...parcel.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inside = '']) => inside.replace(/<[^>]*>/g, '')));
}

test('of two parcels the second can fail after the first; a single one has the buttons of its order', () => {
  const two = [aParcel('a', 'sent'), aParcel('b', 'sent')];
  expect(buttonsOf(two, ['failDelivery', 'takeBackDispatch'])).toEqual([
    ['Change tracking', 'This one failed', 'This one was not dispatched'],
    ['Change tracking', 'This one failed', 'This one was not dispatched'],
  ]);
  expect(buttonsOf([aParcel('a', 'failed'), aParcel('b', 'sent')], ['failDelivery'])).toEqual([
    ['Change tracking'],
    ['Change tracking', 'This one failed'],
  ]);
  expect(buttonsOf([aParcel('a', 'sent')], ['failDelivery'])).toEqual([['Change tracking']]);
});

test('staff who may only see orders change no parcel', () => {
  expect(buttonsOf([aParcel('a', 'sent')], [], ['see orders'])).toEqual([[]]);
});
