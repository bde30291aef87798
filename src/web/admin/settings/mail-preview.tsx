import { useState } from 'react';
import { MAIL_NAMES, MAILS, type MailPart, mailField } from '#contract/settings/mail-texts.ts';
import { useRested } from '#web/admin/use-rested.ts';
import { useLoaded } from '#web/state/use-loaded.ts';

interface MailPreviewProps {
  /** The label of the mail. */
  group: string;
  values: Readonly<Record<string, unknown>>;
}

/** Shows a whole mail. In a shadow root, so that the styles of mail and page do not meet. */
function showMail(html: string) {
  return (element: HTMLElement | null) => {
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    root.innerHTML = html;
  };
}

/** The whole mail as customers will get it, with an order as an example. */
export function MailPreview({ group, values }: MailPreviewProps) {
  const name = MAIL_NAMES.find((one) => MAILS[one].label === group) ?? MAIL_NAMES[0];
  const part = (one: MailPart) => String(values[mailField(name, one)] ?? '');
  const value = useRested(JSON.stringify({ subject: part('subject'), before: part('before'), after: part('after') }));
  const body = { field: name, value: JSON.parse(value) as unknown };
  const { value: shown, error } = useLoaded('POST /api/settings/:section/preview', { params: { section: 'mails' }, body });
  const [isPlain, setIsPlain] = useState(false);
  return (
    <section aria-labelledby="preview" className="grid content-start gap-3 xl:sticky xl:top-36">
      <h2 id="preview">Preview</h2>
      {error && <p className="wrong">{error}</p>}
      <p>
        <span className="hint">Subject:</span> <strong>{shown?.subject}</strong>
      </p>
      <label className="flex min-h-6 items-center gap-2">
        <input type="checkbox" checked={isPlain} onChange={({ target }) => setIsPlain(target.checked)} />
        As plain text
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard. */}
      <section aria-label="The email" tabIndex={0} className="max-h-[70vh] overflow-auto rounded-card border border-line bg-paper">
        {isPlain ? (
          <p className="whitespace-pre-wrap break-words p-4">{shown?.text}</p>
        ) : (
          <div inert key={shown?.html} ref={showMail(shown?.html ?? '')} />
        )}
      </section>
    </section>
  );
}
