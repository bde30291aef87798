import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** The state of a list of the back office lives in its URL: `currPage`, a search, filters and a sort. */
export function useListUrl() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = Math.max(1, Number.parseInt(search.get('currPage') ?? '1', 10) || 1);
  const hrefWith = (changes: Record<string, string>) => {
    const next = new URLSearchParams(search);
    next.delete('currPage');
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    return text === '' ? pathname : `${pathname}?${text}`;
  };
  const hrefOf = (to: number) => hrefWith({ currPage: to === 1 ? '' : String(to) });
  const change = (changes: Record<string, string>) => void navigate(hrefWith(changes));
  return { search, page, hrefOf, change };
}

/** A page past the end goes to the last one. */
export function useLastPage(page: number, list: { page: number; pages: number } | undefined, hrefOf: (page: number) => string): void {
  const navigate = useNavigate();
  const last = list && list.page === page && page > list.pages ? list.pages : undefined;
  useEffect(() => {
    if (last) void navigate(hrefOf(last), { replace: true });
  }, [last, navigate, hrefOf]);
}
