import type { Mail } from '#server/gateways/mail.ts';
import { helloTo, mailOf, unlinked } from './layout.ts';

interface Person {
  name: string;
  email: string;
}

/**
 * The code of a password reset (clarifications on accounts: 6 digits, 10 minutes). Not in the subject, which lock screens and logs show. No
 * name in the mail: a stranger may have registered this address and typed it.
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
    greeting: helloTo(name),
    paragraphs: [
      'The password of your account was just changed, and other devices were logged out.',
      'If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** Sent after a second factor was set up or switched off. */
export function secondFactorMail({ name, email }: Person, change: 'set up' | 'switched off'): Mail {
  const isOn = change === 'set up';
  return mailOf({
    to: email,
    subject: `Two-step login was ${change}`,
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: helloTo(name),
    paragraphs: [
      isOn
        ? 'From now on we will ask for a code from your authenticator app when you log in. Other devices were logged out.'
        : 'We no longer ask for a code from your authenticator app when you log in.',
      'If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** `left`: remaining recovery codes. */
export function recoveryCodeUsedMail({ name, email }: Person, left: number): Mail {
  return mailOf({
    to: email,
    subject: 'One of your recovery codes was used',
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: helloTo(name),
    paragraphs: [
      `Somebody who knows your password used one of your recovery codes. You have ${left} left.`,
      'Set up two-step login again in your profile to get new ones. If this wasn’t you, reset your password straight away from the login page, and let us know.',
    ],
  });
}

/** Sent to the account's former address. `after`, the new address, is named only if this one was confirmed: the text is typed by users. */
export function addressChangedMail(to: string, after?: string): Mail {
  return mailOf({
    to,
    subject: 'Your email address was changed',
    preheader: 'If this wasn’t you, let us know straight away.',
    greeting: 'Hello,',
    paragraphs: [
      after
        ? `The email address of your account was changed from ${to} to ${unlinked(after)}.`
        : 'The email address of your account was changed.',
      'If this wasn’t you, please let us know straight away.',
    ],
  });
}

/**
 * Asks the owner of a new address to confirm it, without any user-typed text. `token` is in the URL's fragment, which browsers send to no
 * server.
 */
export function confirmAddressMail(to: string, publicUrl: string, token: string): Mail {
  return mailOf({
    to,
    subject: 'Please confirm your email address',
    preheader: 'It was entered as the new address of an account.',
    greeting: 'Hello,',
    paragraphs: [
      'This address was entered as the new email address of an account with us. You can log in with it already.',
      'Please confirm that it is yours. Until you do, emails about orders may still go to the account’s earlier address.',
    ],
    link: { label: 'Confirm my email address', url: `${publicUrl}/#confirm-email=${token}` },
    closing: ['If this wasn’t you, please ignore this email.'],
  });
}

/** Proves that the shop's mails arrive: its link is followed by who has got it. */
export function testMail(to: string, publicUrl: string, token: string): Mail {
  return mailOf({
    to,
    subject: 'Does this email arrive?',
    preheader: 'A test from the settings of your shop.',
    greeting: 'Hello,',
    paragraphs: ['This is a test from the settings of your shop. Its logo, name and colours are those that customers will see.'],
    link: { label: 'Yes, it arrived', url: `${publicUrl}/#mail-arrived=${token}` },
    closing: ['If it was in your spam folder, ask the company that runs your mail server to set up SPF and DKIM for the sender’s address.'],
    reason: 'You get this email because an administrator of the shop sent a test to this address.',
  });
}

/** Replaces all mails beyond the hourly limit. */
export function moreNewsMail(to: string, publicUrl: string): Mail {
  return mailOf({
    to,
    subject: 'There is more news about your orders',
    preheader: 'We have combined further emails into this one.',
    greeting: 'Hello,',
    paragraphs: [
      'A lot has happened to your orders within an hour. We have combined the further emails into this one: your orders show all of it.',
    ],
    link: { label: 'See your orders', url: `${publicUrl}/orders` },
  });
}
