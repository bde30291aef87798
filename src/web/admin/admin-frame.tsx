import type { PropsWithChildren, ReactNode } from 'react';
import { Link } from 'react-router';
import { Meta } from '#web/parts/meta.tsx';

interface AdminFrameProps {
  title: string;
  /** Where "Go Back" leads, on forms and details. */
  back?: string;
  /** Beside the title, such as "Add New Product". */
  action?: ReactNode;
  /** False where what is printed has a title of its own. */
  isTitlePrinted?: boolean;
}

/** A page of the back office: the shop's language, denser. */
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
        {action}
      </div>
      {children}
    </main>
  );
}
