import type { PropsWithChildren, ReactNode } from 'react';
import { Link } from 'react-router';
import { Meta } from '#web/parts/meta.tsx';

interface AdminFrameProps {
  title: string;
  /** Target of "Go Back". */
  back?: string;
  /** Beside the title, such as "Add New Product". */
  action?: ReactNode;
  /** False if the printed page has a title of its own. */
  isTitlePrinted?: boolean;
}

export function AdminFrame({ title, back, action, isTitlePrinted = true, children }: PropsWithChildren<AdminFrameProps>) {
  return (
    <main id="main" className="container-page py-8 print:p-0">
      <Meta title={title} noindex />
      {back && (
        <p className="mb-3 print:hidden">
          <Link to={back} className="link">
            Go Back
          </Link>
        </p>
      )}
      <div className={`mb-6 flex flex-wrap items-center justify-between gap-3 ${isTitlePrinted ? '' : 'print:hidden'}`}>
        <h1 className="min-w-0 break-words">{title}</h1>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">
          {!back && (
            <>
              <Link to="/admin/settings?section=guide" className="link">
                Guide
              </Link>
              <Link to="/admin/promotions" className="link">
                Promotions
              </Link>
              <Link to="/admin/settings" className="link">
                Shop settings
              </Link>
            </>
          )}
          {action}
        </div>
      </div>
      {children}
    </main>
  );
}
