import type { Mail } from '#server/gateways/mail.ts';
import { mailOf } from './layout.ts';

interface Person {
  name: string;
  email: string;
}

/** The code of a password reset (clarifications on accounts: 6 digits, 10 minutes). It stays out of the subject, which locked screens and logs show. */
export function otpMail({ name, email }: Person, otp: string): Mail {
  return mailOf({
    to: email,
    subject: 'Your code for a new password',
    preheader: 'It works for 10 minutes.',
    greeting: `Hello ${name},`,
    paragraphs: ['Here is the code for a new password. Type it on the page where you asked for it:'],
    code: otp,
    closing: ['It works for 10 minutes. If you did not ask for it, please ignore this mail: your password stays as it is.'],
  });
}

export function passwordChangedMail({ name, email }: Person): Mail {
  return mailOf({
    to: email,
    subject: 'Your password was changed',
    preheader: 'If it was not you, reset it at once.',
    greeting: `Hello ${name},`,
    paragraphs: [
      'The password of your account was just changed, and other devices were logged out.',
      'If it was not you, reset your password at once from the log-in page, and write to us.',
    ],
  });
}

/** Goes to the old and to the new address. */
export function addressChangedMail(to: string, name: string, before: string, after: string): Mail {
  return mailOf({
    to,
    subject: 'Your e-mail address was changed',
    preheader: 'If it was not you, write to us at once.',
    greeting: `Hello ${name},`,
    paragraphs: [
      `The e-mail address of your account was changed from ${before} to ${after}.`,
      'If it was not you, please write to us at once.',
    ],
  });
}
