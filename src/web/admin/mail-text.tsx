import { useState } from 'react';

/** Shows a whole mail. In a shadow root, so that the styles of mail and page do not meet. */
function showMail(html: string) {
  return (element: HTMLElement | null) => {
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    root.innerHTML = html;
  };
}

/** An email as mail programs show it, or as plain text. */
export function MailText({ html, text }: { html: string; text: string }) {
  const [isPlain, setIsPlain] = useState(false);
  return (
    <>
      <label className="flex min-h-6 items-center gap-2">
        <input type="checkbox" checked={isPlain} onChange={({ target }) => setIsPlain(target.checked)} />
        As plain text
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard. */}
      <section aria-label="The email" tabIndex={0} className="max-h-[70vh] overflow-auto rounded-card border border-line bg-paper">
        {isPlain ? <p className="whitespace-pre-wrap break-words p-4">{text}</p> : <div inert key={html} ref={showMail(html)} />}
      </section>
    </>
  );
}
