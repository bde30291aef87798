import type { Balance } from './balance.ts';
import type { Disputes } from './disputes.ts';
import { escaped, money, page } from './hosted-page.ts';
import type { Dispute, Refund, Session } from './ledger.ts';
import { totalOf } from './objects.ts';
import type { Change, Refunds } from './refunds.ts';
import { ApiError } from './session.ts';

const REFUND_TEXTS = { pending: 'pending', succeeded: 'refunded', failed: 'failed' } as const;

const button = (action: string, text: string, refund = '') =>
  `<button name="action" value="${action}"${refund && ` aria-label="${text} ${refund}"`}>${text}</button>`;

function refundRow({ id, amount, status }: Refund): string {
  const described = `the refund of ${money(amount)}`;
  const succeed = status === 'pending' ? button('succeed', 'Complete', described) : '';
  const fail = status === 'failed' ? '' : button('fail', 'Let it fail', described);
  const form =
    succeed || fail ? `<form method="post"><input type="hidden" name="refund" value="${escaped(id)}">${succeed}${fail}</form>` : '';
  return `<li><span>${money(amount)}<small>${REFUND_TEXTS[status]}</small></span>${form}</li>`;
}

const DISPUTE_TEXTS = {
  needs_response: 'The payment is disputed.',
  won: 'The shop has won the dispute.',
  lost: 'The shop has lost the dispute.',
};

function disputeForm(dispute: Dispute | undefined): string {
  const outcome = dispute ? `<p>${DISPUTE_TEXTS[dispute.status]}</p>` : '';
  const buttons = !dispute
    ? button('dispute', 'Dispute the payment')
    : dispute.status === 'needs_response'
      ? `${button('won', 'The shop wins')}${button('lost', 'The customer wins')}`
      : '';
  return `<h2>Dispute</h2>${outcome}${buttons && `<form method="post">${buttons}</form>`}`;
}

/** A payment's page: its refunds, and forms for the actions of the provider's dashboard and of banks. */
export function paymentPage(session: Session, refunds: Refunds, disputes: Disputes, alert: string): string {
  const left = refunds.left(session);
  const rows = refunds.of(session.paymentIntent ?? '').map(refundRow);
  const form = `<form method="post"><fieldset><legend>Refund at the provider</legend>
<label>Amount in pounds<input name="amount" inputmode="decimal" value="${(left / 100).toFixed(2)}"></label>${button('refund', 'Refund')}</fieldset></form>`;
  return page(
    'Payment',
    `<main><section><h1>Payment ${escaped(session.id)}</h1><p class="total">${money(totalOf(session))}</p>
<h2>Refunds</h2>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>None yet.</p>'}</section>
<section>${alert ? `<p class="alert" role="alert">${escaped(alert)}</p>` : ''}${left > 0 ? form : '<p>Everything was refunded.</p>'}${disputeForm(disputes.of(session.paymentIntent ?? ''))}<h2>Balance</h2><form method="post">${button('payout', 'Pay the balance out')}</form></section></main>`,
  );
}

/** Runs a button's action. Throws an ApiError with a sentence for the user. */
export function actOn(refunds: Refunds, disputes: Disputes, balance: Balance, session: Session, form: URLSearchParams): Change {
  const action = form.get('action');
  if (action === 'dispute') return disputes.open(session);
  if (action === 'payout') return balance.payOut();
  if (action === 'won' || action === 'lost') return disputes.decide(session, action);
  if (action === 'succeed') return refunds.end(form.get('refund') ?? '', 'succeeded');
  if (action === 'fail') return refunds.end(form.get('refund') ?? '', 'failed');
  const amount = /^\d{1,7}(\.\d{1,2})?$/.test(form.get('amount') ?? '') ? Math.round(Number(form.get('amount')) * 100) : 0;
  if (amount === 0) throw new ApiError(400, 'Enter an amount in pounds, such as 12.50.');
  return refunds.make({ payment_intent: session.paymentIntent ?? '', amount: String(amount) });
}
