import type { ReactNode } from 'react';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface PrintFrameProps {
  title: string;
  back: string;
  error?: string;
  isLoading?: boolean;
  isTitlePrinted?: boolean;
  children: ReactNode;
}

/** A page of the back office to print. */
export function PrintFrame({ title, back, error, isLoading = false, isTitlePrinted = true, children }: PrintFrameProps) {
  const printButton = (
    <Button look="secondary" className="print:hidden" disabled={isLoading} onClick={() => window.print()}>
      Print
    </Button>
  );
  return (
    <AdminFrame title={title} back={back} action={printButton} isTitlePrinted={isTitlePrinted}>
      {error && <Alert>{error}</Alert>}
      {isLoading && !error && <Skeleton label={`Loading the ${title.toLowerCase()}`} />}
      {children}
    </AdminFrame>
  );
}
