import type { Balance } from './balance.ts';
import type { Disputes } from './disputes.ts';
import { escaped, money, page } from './hosted-page.ts';
import type { Dispute, Refund, Session } from './ledger.ts';
import { totalOf } from './objects.ts';
import type { Change, Refunds } from './refunds.ts';
import { ApiError } from './session.ts';

const REFUND_TEXTS = { pending: 'pending', succeeded: 'refunded', failed: 'failed' } as const;

const button = (action: string, text: string, objectName = '') =>
  `<button name="action" value="${action}"${objectName && ` aria-label="${text} ${objectName}"`}>${text}</button>`;

function refundRow({ id, amount, status }: Refund): string {
  const refundName = `the refund of ${money(amount)}`;
  const succeedButton = status === 'pending' ? button('succeed', 'Complete', refundName) : '';
  const failButton = status === 'failed' ? '' : button('fail', 'Let it fail', refundName);
  const form =
    succeedButton || failButton
      ? `<form method="post"><input type="hidden" name="refund" value="${escaped(id)}">${succeedButton}${failButton}</form>`
      : '';
  return `<li><span>${money(amount)}<small>${REFUND_TEXTS[status]}</small></span>${form}</li>`;
}

const DISPUTE_TEXTS = {
  needs_response: 'The payment is disputed.',
  won: 'The shop has won the dispute.',
  lost: 'The shop has lost the dispute.',
};

function disputeSection(dispute: Dispute | undefined): string {
  const statusText = dispute ? `<p>${DISPUTE_TEXTS[dispute.status]}</p>` : '';
  const openButton = dispute ? '' : button('dispute', 'Dispute the payment');
  const decideButtons =
    dispute?.status === 'needs_response' ? `${button('won', 'The shop wins')}${button('lost', 'The customer wins')}` : '';
  const buttons = `${openButton}${decideButtons}`;
  return `<h2>Dispute</h2>${statusText}${buttons && `<form method="post">${buttons}</form>`}`;
}

/** A payment's page: its refunds, and forms for the actions of the provider's dashboard and of banks. */
export function paymentPage(session: Session, refunds: Refunds, disputes: Disputes, alert: string): string {
  const refundable = refunds.refundable(session);
  const rows = refunds.of(session.paymentIntent ?? '').map(refundRow);
  const refundForm = `<form method="post"><fieldset><legend>Refund at the provider</legend>
<label>Amount in pounds<input name="amount" inputmode="decimal" value="${(refundable / 100).toFixed(2)}"></label>${button('refund', 'Refund')}</fieldset></form>`;
  return page(
    'Payment',
    `<main><section><h1>Payment ${escaped(session.id)}</h1><p class="total">${money(totalOf(session))}</p>
<h2>Refunds</h2>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>None yet.</p>'}</section>
<section>${alert ? `<p class="alert" role="alert">${escaped(alert)}</p>` : ''}${refundable > 0 ? refundForm : '<p>Everything was refunded.</p>'}${disputeSection(disputes.of(session.paymentIntent ?? ''))}<h2>Balance</h2><form method="post">${button('payout', 'Pay the balance out')}</form></section></main>`,
  );
}

/** Runs a button's action. Throws an ApiError with a sentence for the user. */
export function runAction(refunds: Refunds, disputes: Disputes, balance: Balance, session: Session, form: URLSearchParams): Change {
  const action = form.get('action');
  if (action === 'dispute') return disputes.open(session);
  if (action === 'payout') return balance.payOut();
  if (action === 'won' || action === 'lost') return disputes.decide(session, action);
  if (action === 'succeed') return refunds.settle(form.get('refund') ?? '', 'succeeded');
  if (action === 'fail') return refunds.settle(form.get('refund') ?? '', 'failed');
  const amount = /^\d{1,7}(\.\d{1,2})?$/.test(form.get('amount') ?? '') ? Math.round(Number(form.get('amount')) * 100) : 0;
  if (amount === 0) throw new ApiError(400, 'Enter an amount in pounds, such as 12.50.');
  return refunds.make({ payment_intent: session.paymentIntent ?? '', amount: String(amount) });
}
