import { expect, test } from 'vitest';
import { seal, unseal } from '#server/platform/database/sealed-secret.ts';
import { base32, codeOf, matchingStep, otpauthUrl, stepAt } from './totp.ts';

/** RFC 6238, appendix B: the last six of its eight digits. */
const SECRET = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code of RFC 6238’s secret is %s', (seconds, code) => {
  expect(codeOf(SECRET, stepAt(seconds * 1_000))).toBe(code);
});

test('the code of the step before and after is right, no other, and no other text', () => {
  const now = 1_800_000_015_000;
  const found = [-2, -1, 0, 1, 2].map((away) => matchingStep(SECRET, codeOf(SECRET, stepAt(now) + away), now));
  expect(found).toEqual([undefined, ...[-1, 0, 1].map((away) => stepAt(now) + away), undefined]);
  for (const text of ['', '12345', '1234567', 'ünïcöd', 'abcdef']) expect(matchingStep(SECRET, text, now)).toBeUndefined();
});

test('an app is given the secret as RFC 4648 writes it, with shop and account', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(otpauthUrl(SECRET, 'ada@example.com', 'Hearth & Oak Ltd')).toBe(
    'otpauth://totp/Hearth%20%26%20Oak%20Ltd:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Hearth%20%26%20Oak%20Ltd&algorithm=SHA1&digits=6&period=30',
  );
});

test('with a key a secret is encrypted for one account, and is opened by nothing else', () => {
  const [key, other] = ['k'.repeat(32), 'o'.repeat(32)];
  const sealed = seal(SECRET, 'ada', [key]);
  expect(sealed.includes(SECRET)).toBe(false);
  expect(unseal(sealed, 'ada', [key])).toEqual(SECRET);
  expect([unseal(sealed, 'eve', [key]), unseal(sealed, 'ada', [other]), unseal(sealed, 'ada', [])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(unseal(seal(SECRET, 'ada', []), 'ada', [key])).toEqual(SECRET);
});
