import { expect, test } from 'vitest';
import { MAIL_NAMES, MAILS, type MailName, mailField, placeholdersOf } from '#contract/settings/mail-texts.ts';
import { signed } from '#server/gateways/mail-signature.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { backInStockMail } from './alert-mails.ts';
import type { MailConfig } from './layout.ts';
import { SAMPLES } from './samples.ts';

const start = readConfig({});
const config: MailConfig = { ...start, publicUrl: 'https://shop.example' };

const mailOf = (name: MailName, mailTexts: MailConfig['mailTexts'] = {}) =>
  signed(SAMPLES[name]({ ...config, mailTexts }), { ...start, ...config });
/** Lines of the plain text that no text of the owner's can change. */
const fixedLines = (name: MailName) => {
  const own = { [mailField(name, 'subject')]: 'S', [mailField(name, 'before')]: 'B', [mailField(name, 'after')]: 'A' };
  return mailOf(name, own)
    .text.split('\n')
    .filter((line) => line.length > 1);
};

test.each(MAIL_NAMES)('the mail “%s” has its default texts, all placeholders filled in, until the owner writes her own', (name) => {
  const { subject, text, html } = mailOf(name);
  expect(subject + text + html).not.toMatch(/\{\w+\}/);
  expect(subject).not.toBe('');
  const known = Object.keys(placeholdersOf(name));
  const own = {
    [mailField(name, 'subject')]: 'News from {shop}',
    [mailField(name, 'before')]: known.map((word) => `${word}: {${word}}`).join('\n\n'),
    [mailField(name, 'after')]: '- One\n- [Two](/two)',
  };
  const changed = mailOf(name, own);
  expect(changed.subject).toBe('News from Hearth & Oak');
  expect(changed.text).toContain('shop: Hearth & Oak');
  expect(changed.text).toContain('- One\n- Two (https://shop.example/two)');
  expect(changed.html).toMatch(/<a href="https:\/\/shop\.example\/two" style="[^"]+">Two<\/a>/);
  for (const line of fixedLines(name)) expect(text).toContain(line);
  expect(MAILS[name].before).not.toBe('');
});

test('what a value holds is shown letter by letter, whatever it is', () => {
  const name = '**Alder** [sofa](https://evil.example) <b>x</b> {shop} | `y`';
  const { text, html } = backInStockMail({ ...config, mailTexts: {} }, 'nia@example.com', { _id: 'p', name });
  expect(text).toContain(`${name} is back in stock.`);
  expect(html).toContain('**Alder** [sofa](https://evil.example) &lt;b&gt;x&lt;/b&gt; {shop} | `y` is back in stock.');
});
