import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Account,
  byBankOf,
  claimOf,
  countLost,
  entitle,
  entitledOf,
  entitleLess,
  heldOf,
  keep,
  openParts,
  owedOf,
  payInto,
  unclaimedOf,
} from './owed.ts';
import { leftOf, refundNow } from './worth.ts';

const STEPS = ['leave', 'less', 'refund', 'keep', 'pieces', 'fail', 'again', 'open', 'won', 'lost', 'reversed', 'end'] as const;
const step = fc.record({ name: fc.constantFrom(...STEPS), amount: fc.integer({ min: 1, max: 60_000 }), which: fc.nat(5) });

interface Refund {
  amount: number;
  goodwill: number;
  status: 'done' | 'failed';
}

/** An order of some pieces, with its refunds and disputes. */
function anOrder(paid: number) {
  const refunds: Refund[] = [];
  const disputes: { amount: number; status: 'open' | 'won' | 'lost' }[] = [];
  let stored = { entitledPrice: 0, keptPrice: 0, lostPrice: 0 };
  let hasEnded = false;
  // What is left of the payment for pieces that stay.
  let goods = paid;
  const sum = (list: readonly { amount: number }[]) => list.reduce((all, { amount }) => all + amount, 0);
  const made = () => refunds.filter(({ status }) => status === 'done');
  const of = (...wanted: string[]) => sum(disputes.filter(({ status }) => wanted.includes(status)));
  const account = (): Account & { lostPrice: number } => ({
    totalPrice: paid,
    waivedPrice: 0,
    refundedPrice: sum(made()),
    goodwillPrice: made().reduce((all, { goodwill }) => all + goodwill, 0),
    disputedPrice: of('open', 'lost'),
    ...stored,
  });
  const store = (changes: Partial<typeof stored>) => {
    stored = { ...stored, ...changes };
  };
  const refundable = () => Math.max(0, paid - account().refundedPrice - account().disputedPrice);
  const give = (amount: number, goodwill: number) => amount > 0 && refunds.push({ amount, goodwill, status: 'done' });
  const failedGoodwill = () => refunds.filter(({ status, goodwill }) => status === 'failed' && goodwill > 0);
  const act = ({ name, amount, which }: { name: (typeof STEPS)[number]; amount: number; which: number }) => {
    const before = account();
    const open = disputes.filter(({ status }) => status === 'open');
    if (name === 'leave' || name === 'end') {
      if (hasEnded) return;
      const isEnd = name === 'end';
      const due = isEnd ? Math.max(0, unclaimedOf(before) - before.keptPrice) : Math.min(amount, goods);
      if (isEnd)
        expect(Math.max(0, leftOf({ ...before, isPaid: true, owedPrice: owedOf(before) }) - before.keptPrice - byBankOf(before))).toBe(due);
      goods = isEnd ? 0 : goods - due;
      hasEnded = goods === 0;
      const { refund, ...changes } = entitle(before, due);
      // The forms name the same sum.
      const sums = { ...before, isPaid: true, refundable: refundable(), owedPrice: owedOf(before), heldPrice: heldOf(before) };
      expect(refundNow(due, sums)).toBe(refund);
      store(changes);
      give(refund, 0);
    } else if (name === 'less') {
      if (hasEnded) return;
      const due = Math.min(amount, goods);
      const { refund } = entitle(before, due);
      const chosen = Math.floor(refund / 2);
      if (chosen >= refund) return;
      goods -= due;
      hasEnded = goods === 0;
      store(entitleLess(before, due, chosen));
      give(chosen, 0);
    } else if (name === 'refund') {
      const wanted = Math.min(amount, refundable());
      const failed = failedGoodwill().reduce((all, one) => all + one.goodwill, 0);
      const { goodwill, again, ...changes } = payInto(before, wanted, { lost: of('lost'), failed });
      let rest = again;
      for (const one of failedGoodwill()) {
        const covered = Math.min(rest, one.goodwill);
        one.goodwill -= covered;
        rest -= covered;
      }
      store(changes);
      give(wanted, goodwill);
    } else if (name === 'keep') store(keep(before, Math.min(amount, owedOf(before))));
    else if (name === 'pieces') {
      const wanted = Math.min(amount, refundable(), goods);
      goods -= wanted;
      give(wanted, wanted);
    } else if (name === 'fail') {
      const one = made()[which];
      store({ entitledPrice: entitledOf(before) });
      if (one) one.status = 'failed';
    } else if (name === 'again') {
      const failed = refunds.filter(({ status }) => status === 'failed').toReversed();
      const open = openParts(failed, { owed: owedOf(before), refundable: refundable() });
      expect(open.reduce((all, { amount: part, goodwill }) => all + part - goodwill, 0)).toBeLessThanOrEqual(owedOf(before));
      const [one, part] = [failed[which], open[which]];
      if (one && part && part.amount > 0) Object.assign(one, part, { status: 'done' });
    } else if (name === 'open') {
      const wanted = Math.min(amount, refundable());
      if (wanted > 0) disputes.push({ amount: wanted, status: 'open' });
    } else {
      const one = name === 'reversed' ? disputes.find(({ status }) => status === 'lost') : open[which];
      if (one) one.status = name === 'lost' ? 'lost' : 'won';
    }
    store(countLost(account(), of('lost')));
  };
  return { act, account, of, refunds };
}

test('over any sequence of steps no more goes back than the customer is entitled to and goodwill, nothing owed is in no queue, and what is left is the shop’s (§20.4)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 100_000 }), fc.array(step, { maxLength: 20 }), (paid, steps) => {
      const order = anOrder(paid);
      for (const one of steps) {
        order.act(one);
        const account = order.account();
        const { refundedPrice, goodwillPrice, disputedPrice, entitledPrice, keptPrice, lostPrice } = account;
        const [open, lost] = [order.of('open'), order.of('lost')];
        expect(refundedPrice - goodwillPrice).toBeLessThanOrEqual(entitledPrice);
        expect(Math.min(keptPrice, claimOf(account), owedOf(account), heldOf(account), lostPrice)).toBeGreaterThanOrEqual(0);
        expect(refundedPrice + owedOf(account)).toBeLessThanOrEqual(paid);
        // What goes back by the shop and by banks is what the customer is entitled to, no more.
        expect(refundedPrice - goodwillPrice + owedOf(account) + byBankOf(account)).toBeLessThanOrEqual(entitledPrice);
        // Nothing that is owed waits for anything but an open dispute.
        const owedInTheEnd = Math.max(0, Math.min(claimOf(account), paid - refundedPrice) - lost);
        expect(owedInTheEnd - owedOf(account)).toBeLessThanOrEqual(open);
        if (open === 0) expect(owedOf(account)).toBe(owedInTheEnd);
        expect(heldOf(account) + byBankOf(account)).toBe(disputedPrice);
        expect(lostPrice).toBeLessThanOrEqual(lost);
        expect(paid - refundedPrice - lostPrice).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 300 },
  );
});
