/**
 * What the browser says about a form before it sends it, in the words of the server's schemas (docs/decisions/0020). Small functions, so
 * that no shopper's page loads a validator. The server checks everything again; `form-checks.test.ts` holds that both say the same.
 */

import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { MAX_REVIEW_TEXT } from '#contract/platform/limits.ts';
import type { Market } from './market/market.ts';

/** A text for each field that is wrong, by its name. */
export type FieldErrors = Record<string, string>;
/** What is wrong with a field's value, or undefined; the whole form is at hand, for fields that depend on others. */
export type Check<F, V = string> = (value: V, fields: F) => string | undefined;

/** One check of a whole form, from the checks of its fields. */
export function checkOf<F extends object>(checks: { [name in keyof F]?: Check<F, F[name]> }): (fields: F) => FieldErrors {
  const names = Object.keys(checks) as (keyof F & string)[];
  return (fields) =>
    Object.fromEntries(names.flatMap((name) => [checks[name]?.(fields[name], fields)].filter(isText).map((text) => [name, text])));
}

const isText = (text: string | undefined): text is string => text !== undefined;

const isEmpty = (value: string) => value.trim() === '';
export const required =
  (what: string, end = '') =>
  (value: string) =>
    isEmpty(value) ? `${what} is required${end}` : undefined;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const emailFormat = (value: string) => (EMAIL.test(value.trim()) ? undefined : 'Email is invalid');
const email = (value: string) => required('Email')(value) ?? emailFormat(value);
const optionalEmail = (value: string) => (isEmpty(value) ? undefined : emailFormat(value));
const passwordLength = (value: string) => (value.length < 8 ? 'Password must be at least 8 characters' : undefined);
const optionalPassword = (value: string) => (value === '' ? undefined : passwordLength(value));
const otp = (value: string) => (/^\d{6}$/.test(value.replace(/[\s-]/g, '')) ? undefined : 'The code has 6 digits');
/** The second password is known to the browser alone (specification §5). */
const sameAsPassword = (value: string, fields: { password: string }) => (value === fields.password ? undefined : 'Passwords do not match');

interface Credentials {
  email: string;
  password: string;
}

interface NewPassword {
  password: string;
  confirmPassword: string;
}

const checkCredentials = checkOf<Credentials>({
  email: required('Email'),
  password: (value) => (value === '' ? 'Password is required' : undefined),
});
const checkSecondFactor = checkOf<{ code: string }>({ code: required('The code') });

/** The code of a second factor is required once the server has asked for it. */
export const checkLogin = (fields: Credentials & { code: string }, asksCode: boolean): FieldErrors => ({
  ...checkCredentials(fields),
  ...(asksCode && checkSecondFactor(fields)),
});

export const checkRegistration = checkOf<Credentials & NewPassword & { name: string }>({
  name: required('Name'),
  email,
  password: passwordLength,
  confirmPassword: sameAsPassword,
});

export const checkProfile = checkOf<Credentials & NewPassword & { name: string }>({
  name: required('Name'),
  email: optionalEmail,
  password: optionalPassword,
  confirmPassword: sameAsPassword,
});

export const checkForgottenPassword = checkOf<{ email: string }>({ email });
export const checkCode = checkOf<{ email: string; otp: string }>({ email, otp });
export const checkNewPassword = checkOf<Credentials & NewPassword & { otp: string }>({
  email,
  password: passwordLength,
  confirmPassword: sameAsPassword,
  otp,
});

export const checkUser = checkOf<{ name: string; email: string }>({ name: required('Name'), email });

export const checkReview = checkOf<{ rating: string; text: string }>({
  rating: (value) => (/^[1-5]$/.test(value) ? undefined : 'Choose from 1 to 5 stars.'),
  text: (value) => (value.trim().length > MAX_REVIEW_TEXT ? 'Your review can have at most 2,000 characters.' : undefined),
});

export const checkAlert = checkOf<{ email: string; consent: boolean }>({
  email,
  consent: (value) => (value ? undefined : 'Please tick the box so that we may email you.'),
});

/** Hiding a review. */
export const checkHiding = checkOf<{ reason: string }>({
  reason: (value) => (isEmpty(value) ? 'Say why the review is hidden.' : undefined),
});

/** The checkout form's fields (specification §3). */
export interface CheckoutFields {
  email: string;
  fullName: string;
  phone: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  paymentId: string;
  paymentMethod: string;
}

/** The checkout's messages, in the words of specification §5 or of the market. */
export const checkCheckout = (market: Market) =>
  checkOf<CheckoutFields>({
    email,
    fullName: required('Full name'),
    phone: (value) => market.phoneProblem(value),
    address1: required('Address line 1'),
    city: required('City'),
    state: required(market.labels.state),
    zip: (value, { country }) => market.postalCodeProblem(value, country),
    paymentId: (value, { paymentMethod }) =>
      paymentMethod === PAYMENT_METHOD.online && isEmpty(value) ? 'Payment ID is required for online payments' : undefined,
  });
