import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseOfKeptCart, mergeLists } from './merge.ts';
import { wishKey } from './wish-key.ts';
import type { ListedLine, Lists, Wish } from './wishlist.ts';

const EMPTY: Lists = { wishes: [], cart: [] };
// Few values, so that the sides often meet.
const wish = fc.record<Wish>({
  _id: fc.constantFrom('a', 'b', 'c', 'd'),
  size: fc.constantFrom(null, 'S', 'L'),
  color: fc.constantFrom(null, '#fff'),
});
const line = fc.tuple(wish, fc.integer({ min: 1, max: 3 })).map<ListedLine>(([variant, qty]) => ({ ...variant, qty }));
const lists: fc.Arbitrary<Lists> = fc.record({
  wishes: fc.uniqueArray(wish, { selector: wishKey }),
  cart: fc.uniqueArray(line, { selector: ({ _id }) => _id }),
});

const textsOf = ({ wishes, cart }: Lists) => ({
  wishes: wishes.map(wishKey).sort(),
  cart: cart.map((one) => JSON.stringify([wishKey(one), one.qty])).sort(),
});
/** All variants that a list holds, in the cart or wished for. */
const variantsOf = ({ wishes, cart }: Lists) => new Set([...wishes, ...cart].map(wishKey));

test('merging does not depend on which side is the browser', () => {
  fc.assert(
    fc.property(lists, lists, lists, (base, one, other) => {
      expect(textsOf(mergeLists(base, one, other))).toEqual(textsOf(mergeLists(base, other, one)));
    }),
  );
});

test('lists that are alike stay as they are, and a merge that is sent twice has its effect once', () => {
  fc.assert(
    fc.property(lists, lists, lists, (base, one, other) => {
      expect(mergeLists(base, one, one)).toEqual(one);
      const merged = mergeLists(base, one, other);
      expect(textsOf(mergeLists(base, one, merged)).cart).toEqual(textsOf(merged).cart);
      const atLogin = mergeLists(EMPTY, one, other);
      expect(textsOf(mergeLists(EMPTY, one, atLogin))).toEqual(textsOf(atLogin));
    }),
  );
});

test('at log-in nothing is lost, nothing is made up, and each line has the larger quantity', () => {
  fc.assert(
    fc.property(lists, lists, (one, other) => {
      const merged = mergeLists(EMPTY, one, other);
      expect(variantsOf(merged)).toEqual(variantsOf({ wishes: [...one.wishes, ...other.wishes], cart: [...one.cart, ...other.cart] }));
      expect(new Set(merged.cart.map(({ _id }) => _id))).toEqual(new Set([...one.cart, ...other.cart].map(({ _id }) => _id)));
      for (const { _id, qty } of merged.cart)
        expect(qty).toBe(Math.max(...[...one.cart, ...other.cart].filter((entry) => entry._id === _id).map((entry) => entry.qty)));
      // A product has one line, and a variant one wish.
      expect(new Set(merged.cart.map(({ _id }) => _id)).size).toBe(merged.cart.length);
      expect(new Set(merged.wishes.map(wishKey)).size).toBe(merged.wishes.length);
    }),
  );
});

test('what one side alone changed since the last sync is taken over, also what it removed', () => {
  fc.assert(
    fc.property(lists, lists, (base, changed) => {
      expect(textsOf(mergeLists(base, changed, base))).toEqual(textsOf(changed));
      expect(textsOf(mergeLists(base, base, changed))).toEqual(textsOf(changed));
    }),
  );
});

test('a cart that a checkout keeps, and what the account has, meet at the next sync as if it had been the first', () => {
  fc.assert(
    fc.property(lists, lists, lists, (base, mine, account) => {
      const theirs = mergeLists(base, mine, account);
      const next = { wishes: [], cart: baseOfKeptCart(base.cart, mine.cart, theirs.cart) };
      expect(textsOf(mergeLists(next, mine, theirs)).cart).toEqual(textsOf(theirs).cart);
      // A line that both had and the browser has removed since does not come back.
      for (const removed of mine.cart) {
        const left = { ...mine, cart: mine.cart.filter((one) => one !== removed) };
        if (theirs.cart.some((one) => wishKey(one) === wishKey(removed) && one.qty === removed.qty))
          expect(mergeLists(next, left, theirs).cart.map(({ _id }) => _id)).not.toContain(removed._id);
      }
    }),
  );
});

const two = { _id: 'a', size: 'Two-seat', color: null };
const three = { _id: 'a', size: 'Three-seat', color: null };
test.each<[string, Lists, Lists, Lists, Lists]>([
  [
    'two variants of one product',
    EMPTY,
    { wishes: [], cart: [{ ...two, qty: 1 }] },
    { wishes: [], cart: [{ ...three, qty: 2 }] },
    { wishes: [two], cart: [{ ...three, qty: 2 }] },
  ],
  [
    'a line that one side removed and the other changed',
    { wishes: [], cart: [{ ...two, qty: 1 }] },
    EMPTY,
    { wishes: [], cart: [{ ...two, qty: 3 }] },
    { wishes: [], cart: [{ ...two, qty: 3 }] },
  ],
  ['a wish that one side removed', { wishes: [two], cart: [] }, EMPTY, { wishes: [two], cart: [] }, EMPTY],
])('%s', (_, base, mine, theirs, merged) => {
  expect(mergeLists(base, mine, theirs)).toEqual(merged);
});
