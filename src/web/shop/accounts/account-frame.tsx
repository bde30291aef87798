import type { PropsWithChildren } from 'react';
import { Meta } from '#web/parts/meta.tsx';
import { Link } from '#web/ui/link.tsx';

interface AccountFrameProps {
  title: string;
  /** Shows the legal links of login and register (specification §2). */
  legal?: boolean;
}

export function AccountFrame({ title, legal = false, children }: PropsWithChildren<AccountFrameProps>) {
  return (
    <main id="main" className="container-page py-section">
      <Meta title={title} noindex />
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

export function OtherWay({ to, children }: PropsWithChildren<{ to: string }>) {
  return (
    <p className="mt-5">
      <Link to={to} className="link">
        {children}
      </Link>
    </p>
  );
}
