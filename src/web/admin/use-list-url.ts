import { useLocation, useNavigate } from 'react-router';
import { pageNumberOf } from '#contract/platform/lists.ts';
import { useLatestSearch } from '#web/state/use-latest-search.ts';

/** The back office's lists keep page, search, filters and sort in the URL. */
export function useListUrl() {
  const search = useLatestSearch();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = pageNumberOf(search.get('currPage'));
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
  return { search, page, hrefOf, hrefWith, change };
}
