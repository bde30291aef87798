import type { PropsWithChildren, ReactNode } from 'react';
import type { Right } from '#contract/accounts/roles.ts';
import { useMay } from '#web/admin/office/office-context.ts';
import { Meta } from '#web/parts/meta.tsx';
import { Link } from '#web/ui/link.tsx';

interface AdminFrameProps {
  title: string;
  /** Target of "Go Back". */
  back?: string;
  /** The right to make changes here. Users without it see a notice. */
  changes?: Right | undefined;
  /** Beside the title, such as "Add New Product". */
  action?: ReactNode;
  /** False if the printed page has a title of its own. */
  isTitlePrinted?: boolean;
  /** The title is an id, shown small. */
  isIdTitle?: boolean;
}

/** The layout of a back-office page. */
export function AdminFrame({
  title,
  back,
  changes,
  action,
  isTitlePrinted = true,
  isIdTitle = false,
  children,
}: PropsWithChildren<AdminFrameProps>) {
  // `office` is the right that all staff have.
  const mayChange = useMay(changes ?? 'office');
  return (
    <main id="main" className="min-w-0 px-gutter py-4 lg:px-6 lg:py-8 print:p-0">
      <Meta title={title} noindex />
      {back && (
        <p className="mb-3 print:hidden">
          <Link to={back} className="link">
            Go Back
          </Link>
        </p>
      )}
      <div className={`mb-4 flex flex-wrap items-center justify-between gap-3 lg:mb-6 ${isTitlePrinted ? '' : 'print:hidden'}`}>
        <h1 className={`min-w-0 break-words ${isIdTitle ? 'text-heading' : ''}`}>{title}</h1>
        {action && <div className="flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">{action}</div>}
      </div>
      {!mayChange && <p className="panel mb-4 print:hidden">You can view this page, but your role does not allow changes.</p>}
      {children}
    </main>
  );
}
