import { MAIL_NAMES, MAILS, type MailPart, mailField } from '#contract/settings/mail-texts.ts';
import { MailText } from '#web/admin/mail-text.tsx';
import { useRested } from '#web/admin/use-rested.ts';
import { useLoaded } from '#web/state/use-loaded.ts';

interface MailPreviewProps {
  /** The label of the mail. */
  group: string;
  values: Readonly<Record<string, unknown>>;
}

/** The whole mail as customers will get it, with an order as an example. */
export function MailPreview({ group, values }: MailPreviewProps) {
  const name = MAIL_NAMES.find((one) => MAILS[one].label === group) ?? MAIL_NAMES[0];
  const part = (one: MailPart) => String(values[mailField(name, one)] ?? '');
  const value = useRested(JSON.stringify({ subject: part('subject'), before: part('before'), after: part('after') }));
  const body = { field: name, value: JSON.parse(value) as unknown };
  const { value: shown, error } = useLoaded('POST /api/settings/:section/preview', { params: { section: 'mails' }, body });
  return (
    <section aria-labelledby="preview" className="grid content-start gap-3 xl:sticky xl:top-36">
      <h2 id="preview">Preview</h2>
      {error && <p className="wrong">{error}</p>}
      <p>
        <span className="hint">Subject:</span> <strong>{shown?.subject}</strong>
      </p>
      <MailText html={shown?.html ?? ''} text={shown?.text ?? ''} />
    </section>
  );
}
