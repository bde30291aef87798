import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Redirects from past the end of a list to its last page (clarifications on lists). */
export function useLastPage(
  page: number,
  list: { page: number; pages: number } | null | undefined,
  hrefOf: (page: number) => string,
): void {
  const navigate = useNavigate();
  const last = list && list.page === page && page > list.pages ? list.pages : undefined;
  useEffect(() => {
    if (last) void navigate(hrefOf(last), { replace: true });
  }, [last, navigate, hrefOf]);
}
