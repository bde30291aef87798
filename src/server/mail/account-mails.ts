import type { Mail } from '#server/gateways/mail.ts';
import { addressLink, customerMail, helloTo, type MailConfig, mailOf, unlinked } from './layout.ts';

interface Person {
  name: string;
  email: string;
}

const LET_US_KNOW = 'If this wasn’t you, let us know straight away.';

/** What opens a password reset: six digits to type, or the secret of a link. */
export interface ResetSecrets {
  otp: string;
  link: string;
}

/**
 * The code of a password reset (clarifications on accounts: 6 digits, 10 minutes). Not in the subject, which lock screens and logs show. No
 * name in the mail: a stranger may have registered this address and typed it. `email`: of the account, which staff's mail may not go to.
 */
export function otpMail(config: MailConfig, { to, email }: { to: string; email: string }, { otp, link }: ResetSecrets): Mail {
  return customerMail(
    config,
    'resetCode',
    {},
    {
      to,
      preheader: 'It works for 10 minutes.',
      greeting: 'Hello,',
      code: otp,
      link: { label: 'Choose a new password', url: `${config.publicUrl}/change-password#${new URLSearchParams({ email, otp: link })}` },
    },
  );
}

/** Invites the customer of an order by phone to choose a password, by a code. No name: staff may have misheard the address. */
export function invitationMail(config: MailConfig, to: string): Mail {
  return customerMail(
    config,
    'accountInvitation',
    {},
    {
      to,
      preheader: 'Choose a password to see your order.',
      greeting: 'Hello,',
      paragraphs: [`To choose a password, enter ${to} on this page. We will email you a code, which works for 10 minutes:`],
      link: { label: 'Choose a password', url: `${config.publicUrl}/forget-password` },
    },
  );
}

export function passwordChangedMail(config: MailConfig, { name, email }: Person): Mail {
  const preheader = 'If this wasn’t you, reset it straight away.';
  return customerMail(config, 'passwordChanged', {}, { to: email, preheader, greeting: helloTo(name) });
}

/** Sent after a second factor was set up or switched off. */
export function secondFactorMail(config: MailConfig, { name, email }: Person, change: 'set up' | 'switched off'): Mail {
  const kind = change === 'set up' ? 'secondFactorOn' : 'secondFactorOff';
  return customerMail(config, kind, {}, { to: email, preheader: LET_US_KNOW, greeting: helloTo(name) });
}

/** `left`: remaining recovery codes. */
export function recoveryCodeUsedMail(config: MailConfig, { name, email }: Person, left: number): Mail {
  return customerMail(config, 'recoveryCodeUsed', { left: String(left) }, { to: email, preheader: LET_US_KNOW, greeting: helloTo(name) });
}

/** Sent to the account's former address. The new one, which a user typed, is named only if the former one was confirmed. */
export function addressChangedMail(config: MailConfig, to: string, newAddress?: string): Mail {
  const fromTo = newAddress ? ` from ${to} to ${unlinked(newAddress)}` : '';
  return customerMail(config, 'addressChanged', { fromTo }, { to, preheader: LET_US_KNOW, greeting: 'Hello,' });
}

/**
 * Asks the owner of an account's address to confirm it, without any user-typed text.
 */
export function confirmAddressMail(config: MailConfig, to: string, token: string): Mail {
  return customerMail(
    config,
    'addressConfirmation',
    {},
    {
      to,
      preheader: 'It was entered as the address of an account.',
      greeting: 'Hello,',
      link: addressLink(config, token),
    },
  );
}

/** Proves that the shop's mails arrive: the recipient follows its link. */
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
export function moreNewsMail(config: MailConfig, to: string): Mail {
  return customerMail(
    config,
    'moreNews',
    {},
    {
      to,
      preheader: 'We have combined further emails into this one.',
      greeting: 'Hello,',
      link: { label: 'See your orders', url: `${config.publicUrl}/orders` },
    },
  );
}
