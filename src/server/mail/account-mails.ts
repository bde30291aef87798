import type { Mail } from '#server/gateways/mail.ts';
import { mailOf } from './layout.ts';

interface Person {
  name: string;
  email: string;
}

/**
 * The code of a password reset (clarifications on accounts: 6 digits, 10 minutes). It stays out of the subject, which locked screens and logs show. Whoever
 * registers with a stranger's address can have it sent to them, so that it does not hold the name that they typed.
 */
export function otpMail({ email }: Pick<Person, 'email'>, otp: string): Mail {
  return mailOf({
    to: email,
    subject: 'Your code for a new password',
    preheader: 'It works for 10 minutes.',
    greeting: 'Hello,',
    paragraphs: ['Here is the code for a new password. Enter it on the page where you asked for it:'],
    code: otp,
    closing: ['It works for 10 minutes. If you did not ask for it, please ignore this email: your password stays as it is.'],
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

/** A second factor was set up or switched off. */
export function secondFactorMail({ name, email }: Person, change: 'set up' | 'switched off'): Mail {
  const isOn = change === 'set up';
  return mailOf({
    to: email,
    subject: `Two-step login was ${change}`,
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: `Hello ${name},`,
    paragraphs: [
      isOn
        ? 'From now on we will ask for a code from your authenticator app when you log in. Other devices were logged out.'
        : 'We no longer ask for a code from your authenticator app when you log in.',
      'If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** `left`: how many recovery codes there are still. */
export function recoveryCodeUsedMail({ name, email }: Person, left: number): Mail {
  return mailOf({
    to: email,
    subject: 'One of your recovery codes was used',
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: `Hello ${name},`,
    paragraphs: [
      `Somebody who knows your password used one of your recovery codes. You have ${left} left.`,
      'Set up two-step login again in your profile to get new ones. If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** Goes to the old and to the new address, which may be a stranger's: so without the name that somebody typed. */
export function addressChangedMail(to: string, before: string, after: string): Mail {
  return mailOf({
    to,
    subject: 'Your email address was changed',
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: 'Hello,',
    paragraphs: [
      `The email address of your account was changed from ${before} to ${after}.`,
      'If this wasn’t you, please let us know straight away.',
    ],
  });
}
