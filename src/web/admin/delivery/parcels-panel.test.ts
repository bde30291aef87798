import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
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

/** Each parcel in HTML. */
function htmlOf(parcels: Parcel[], can: StepName[], rights: Right[] = ['see orders', 'change orders']) {
  const order = { parcels, can, orderItems: [], isDelivered: false } as unknown as Order;
  const nothing = () => undefined;
  const props = { order, actions: { pending: '', take: nothing }, openParcel: '', onOpen: nothing, onClose: nothing, onDone: nothing };
  const office = { today: { rights } as never, error: '', recount: async () => undefined };
  const panel = createElement(OfficeContext, { value: office }, createElement(ParcelsPanel, props));
  return renderToStaticMarkup(createElement(MemoryRouter, null, panel))
    .split('<li')
    .slice(1);
}
const namesOf = (tag: string, html: string) =>
  [...html.matchAll(new RegExp(`<${tag} [^>]*>(.*?)</${tag}>`, 'g'))].map(([, inside = '']) => inside.replace(/<[^>]*>/g, ''));
const buttonsOf = (...order: Parameters<typeof htmlOf>) => htmlOf(...order).map((parcel) => namesOf('button', parcel));

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

test('each parcel that is on its way has a packing slip, for all staff; one that failed goes onto the slip of the rest (§20.8)', () => {
  const slips = htmlOf([aParcel('a', 'failed'), aParcel('b', 'sent')], [], ['see orders']).map((parcel) => namesOf('a', parcel));
  expect(slips).toEqual([[], ['Packing slip']]);
});
