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
    preheader: 'If this wasn’t you, reset it straight away.',
    greeting: `Hello ${name},`,
    paragraphs: [
      'The password of your account was just changed, and other devices were logged out.',
      'If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** Goes to the old and to the new address. */
export function addressChangedMail(to: string, name: string, before: string, after: string): Mail {
  return mailOf({
    to,
    subject: 'Your email address was changed',
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: `Hello ${name},`,
    paragraphs: [
      `The email address of your account was changed from ${before} to ${after}.`,
      'If this wasn’t you, please let us know straight away.',
    ],
  });
}
