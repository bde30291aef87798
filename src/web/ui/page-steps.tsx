import { Button } from './button.tsx';

interface PageStepsProps {
  label: string;
  page: number;
  pages: number;
  onTurn: (page: number) => void;
}

/** Previous and next in a list without URLs (else `Pagination`). At the ends a button stays focusable. */
export function PageSteps({ label, page, pages, onTurn }: PageStepsProps) {
  if (pages === 1) return null;
  const step = (to: number) => ({
    'aria-disabled': to < 1 || to > pages || undefined,
    onClick: () => to >= 1 && to <= pages && onTurn(to),
  });
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-4 noscript:hidden">
      <Button look="secondary" {...step(page - 1)}>
        Previous
      </Button>
      <span role="status">
        Page {page} of {pages}
      </span>
      <Button look="secondary" {...step(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
