import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import * as users from '#contract/accounts/users.schema.ts';
import { AlertBody } from '#contract/alerts/alerts.schema.ts';
import { PRODUCT_FIELDS } from '#contract/catalogue/product-fields.ts';
import { EditedProductForm, NewProductForm } from '#contract/catalogue/product-form.schema.ts';
import { checkProduct } from '#contract/catalogue/product-form-checks.ts';
import { CreateOrderBody } from '#contract/orders/orders.schema.ts';
import { NewReviewForm } from '#contract/reviews/reviews.schema.ts';
import * as checks from './form-checks.ts';
import { MARKETS } from './market/market.ts';

/** What the server says of a value, by the path of each field. */
function serverErrors(schema: z.ZodType, value: object): Map<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return new Map(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
}

const typed = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    '-1',
    '0',
    '1.5',
    '99999999999',
    'a@b.co',
    'a@',
    'no address',
    '123456',
    '12345',
    'seven 7',
    'eight  8',
    '1e3',
    '٣',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const formOf = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, typed]))) as fc.Arbitrary<Record<string, string>>;

/** Fields that only the browser knows, or that the server takes in another way, are compared elsewhere. */
const FORMS: [string, readonly string[], (fields: never) => checks.FieldErrors, z.ZodType][] = [
  ['login', ['email', 'password'], (fields: Parameters<typeof checks.checkLogin>[0]) => checks.checkLogin(fields, false), users.LoginBody],
  ['registration', ['name', 'email', 'password'], checks.checkRegistration, users.RegisterBody],
  ['profile', ['name', 'email', 'password'], checks.checkProfile, users.ProfileBody],
  ['forgotten password', ['email'], checks.checkForgottenPassword, users.ForgotPasswordBody],
  ['code', ['email', 'otp'], checks.checkCode, users.VerifyOtpBody],
  ['review', ['rating', 'text'], checks.checkReview, NewReviewForm],
  ['alert', ['email'], checks.checkAlert, AlertBody],
  ['user edit', ['name', 'email'], checks.checkUser, users.EditUserBody],
];

test.each(FORMS)('the %s form says what the server would say of the same fields (§5.1)', (_, names, check, schema) => {
  fc.assert(
    fc.property(formOf(names), (fields) => {
      const said = serverErrors(schema, fields);
      const shown = check({ ...fields, confirmPassword: fields.password ?? '' } as never);
      for (const [name, text] of Object.entries(shown)) expect([name, said.get(name)]).toEqual([name, text]);
    }),
  );
});

const PRODUCT = PRODUCT_FIELDS.filter(({ kind }) => kind !== 'flag').map(({ name }) => name);
const sizes = fc.array(
  fc.record({
    size: typed,
    quantity: typed,
    price: typed,
    measurements: fc.array(fc.record({ name: typed, value: typed }), { maxLength: 2 }),
  }),
  { maxLength: 2 },
);

test.each([
  ['new', true, NewProductForm],
  ['edited', false, EditedProductForm],
] as const)('the form of a product that is %s says what the server would say of the same fields', (_, isNew, schema) => {
  fc.assert(
    fc.property(formOf(PRODUCT), sizes, (fields, rows) => {
      const form = { ...fields, sizes: rows };
      const said = serverErrors(schema, form);
      const shown = checkProduct(isNew)(form as never);
      for (const [name, text] of Object.entries(shown)) expect([name, said.get(name)]).toEqual([name, text]);
    }),
  );
});

test('the checkout names a missing line of the address, city or phone number as the server does', () => {
  const empty = { address1: '', city: ' ', phone: '', zip: '', state: '', email: '', fullName: '', country: 'Pakistan' };
  const shown = checks.checkCheckout(MARKETS.classic)({ ...empty, address2: '', paymentId: '', paymentMethod: 'Cash on Delivery' });
  const shippingAddress = { line1: '', city: ' ', postalCode: '', country: 'Pakistan' };
  const said = serverErrors(CreateOrderBody, { shippingAddress, phone: '', orderItems: [] });
  expect([shown.address1, shown.city, shown.zip, shown.phone]).toEqual(
    ['shippingAddress.line1', 'shippingAddress.city', 'shippingAddress.postalCode', 'phone'].map((name) => said.get(name)),
  );
  expect(Object.values(shown)).not.toContain(undefined);
});

test('two passwords that differ are told apart by the browser alone', () => {
  const fields = { name: 'Mia', email: 'mia@example.com', password: 'Correct-horse-1', confirmPassword: 'Correct-horse-2' };
  expect(checks.checkRegistration(fields)).toEqual({ confirmPassword: 'Passwords do not match' });
});
