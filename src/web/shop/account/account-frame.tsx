import type { FormEvent, PropsWithChildren } from 'react';
import { Link } from 'react-router';
import { Meta } from '#web/parts/meta.tsx';

interface AccountFrameProps {
  title: string;
  /** Beside login and register: the legal links (specification §2). */
  legal?: boolean;
}

/** A narrow page with one form. */
export function AccountFrame({ title, legal = false, children }: PropsWithChildren<AccountFrameProps>) {
  return (
    <main id="main" className="container-page py-section">
      <Meta title={`${title} | Hearth & Oak`} noindex />
      <div className="mx-auto w-full max-w-form">
        <h1 className="mb-6">{title}</h1>
        {children}
        {legal && (
          <p className="mt-8 border-t border-line pt-4 text-sm text-soft">
            By continuing, you agree to our{' '}
            <Link to="/legal" className="link">
              Terms of Services
            </Link>{' '}
            and{' '}
            <Link to="/privacy" className="link">
              Privacy Policy
            </Link>
            .
          </p>
        )}
      </div>
    </main>
  );
}

/**
 * The form of such a page. It is sent by script only: the method `dialog` keeps the browser from sending it by itself, before the scripts
 * have started or without any, which would put a typed password into the page's address and the server's logs.
 */
export function AccountForm({ onSubmit, children }: PropsWithChildren<{ onSubmit: (event: FormEvent) => void }>) {
  return (
    <form method="dialog" onSubmit={onSubmit} className="grid gap-5">
      <noscript>
        <p>This form needs scripts, which your browser does not run.</p>
      </noscript>
      {children}
    </form>
  );
}
