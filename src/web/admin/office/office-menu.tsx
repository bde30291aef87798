import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Right } from '#contract/accounts/roles.ts';
import type { Today, Waiting } from '#contract/office/office.schema.ts';
import { Link } from '#web/ui/link.tsx';

interface Entry {
  label: string;
  to: string;
  /** Shown to those with this right. */
  right: Right;
  /** Its place in the counts of waiting work; undefined for an entry without a count. */
  place?: Waiting['place'];
  /** The starts of other paths that belong to this entry. */
  pages?: readonly string[];
}

const ENTRIES: readonly Entry[] = [
  { label: 'Today', to: '/admin/today', right: 'office', place: 'today' },
  { label: 'Orders', to: '/admin/orderlist', right: 'see orders', place: 'orders', pages: ['/admin/orderdetails/', '/admin/createorder'] },
  { label: 'Products', to: '/admin/productlist', right: 'see products', pages: ['/admin/editproduct/', '/admin/createproduct'] },
  { label: 'Stock', to: '/admin/stock', right: 'see products', place: 'stock' },
  { label: 'Promotions', to: '/admin/promotions', right: 'see products' },
  { label: 'Customers', to: '/admin/userlist', right: 'see customers', pages: ['/admin/editUser/'] },
  { label: 'Reviews', to: '/admin/reviews', right: 'see products', place: 'reviews' },
  { label: 'Books', to: '/admin/books', right: 'see money', place: 'books' },
  { label: 'Reports', to: '/admin/reports', right: 'see money' },
  { label: 'Log', to: '/admin/log', right: 'manage staff' },
  { label: 'Settings', to: '/admin/settings', right: 'office' },
  { label: 'Guide', to: '/admin/settings?section=guide', right: 'office' },
];

/** Before the rights are known, all entries are shown: most people may see most of them. */
const entriesFor = (today: Today | undefined) => (today ? ENTRIES.filter(({ right }) => today.rights.includes(right)) : ENTRIES);

/** The path without a slash at its end, which routes accept. */
const withoutSlash = (path: string) => path.replace(/\/+$/, '');

/** The menu entry of a URL. The guide belongs to the settings. */
function entryOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const path = withoutSlash(pathname);
  if (path === '/admin/settings') return new URLSearchParams(search).get('section') === 'guide' ? 'Guide' : 'Settings';
  return ENTRIES.find(({ to, pages = [] }) => to === path || pages.some((page) => path.startsWith(page)))?.label;
}

/** Whether a text field has the focus, where a slash is text. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

function FindForm() {
  const navigate = useNavigate();
  const isFindPage = withoutSlash(useLocation().pathname) === '/admin/find';
  const [search] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const sought = isFindPage ? (search.get('q') ?? '') : '';
  // Changes the value of the same input, so that it keeps the focus.
  useEffect(() => {
    if (input.current) input.current.value = sought;
  }, [sought]);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = input.current?.value.trim();
    if (text) void navigate(`/admin/find?q=${encodeURIComponent(text)}`);
  };
  return (
    <search>
      <form onSubmit={find}>
        <input
          ref={input}
          name="q"
          type="search"
          enterKeyHint="search"
          className="input min-h-10 py-1"
          aria-label="Find an order, product or customer"
          aria-keyshortcuts="/"
          placeholder="Find… ( / )"
          autoComplete="off"
          maxLength={100}
          defaultValue={sought}
        />
      </form>
    </search>
  );
}

/** The waiting work that an entry counts. “Orders” has one count for all queues. “Today” has the same count and its own. */
function countsOf(place: Waiting['place'], { waiting, orders }: Today): { count: number; most: number | null }[] {
  const own = waiting.filter((one) => one.place === place);
  const waitingOrders = { count: orders.waiting, most: orders.most };
  if (place === 'orders') return [waitingOrders];
  return place === 'today' ? [waitingOrders, ...own] : own;
}

/** An entry's count; `isMore` if it was not counted to the end. */
function countAt(place: Waiting['place'], today: Today): { count: number; isMore: boolean } {
  const counts = countsOf(place, today);
  return { count: counts.reduce((sum, { count }) => sum + count, 0), isMore: counts.some(({ count, most }) => count === most) };
}

function Count({ place, today }: { place: Waiting['place']; today: Today }) {
  const { count, isMore } = countAt(place, today);
  if (count === 0) return null;
  return (
    <span className="rounded-full bg-accent-tint px-2 text-sm font-semibold tabular-nums text-accent">
      {count}
      {isMore && '+'}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The menu: at the left, or above the page on narrow screens. */
export function OfficeMenu({ today }: { today: Today | undefined }) {
  const current = entryOf(useLocation());
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the current entry again when counts widen those before it.
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
    if (list.current && entry) list.current.scrollLeft = entry.offsetLeft - (list.current.clientWidth - entry.offsetWidth) / 2;
  }, [current, today]);
  return (
    <div className="z-11 border-b border-line bg-paper px-gutter pt-2 lg:w-44 lg:shrink-0 lg:border-r lg:border-b-0 lg:px-2 lg:py-6 print:hidden">
      <div className="lg:sticky lg:top-30 lg:grid lg:gap-4">
        <FindForm />
        <nav aria-label="Back office">
          <ul ref={list} className="goes-on relative flex overflow-x-auto lg:grid lg:gap-0.5">
            {entriesFor(today).map(({ label, to, place }) => (
              <li key={to} className="shrink-0">
                <Link
                  to={to}
                  aria-current={label === current ? 'page' : undefined}
                  className="flex min-h-11 items-center justify-between gap-2 rounded-soft px-2 hover:bg-stage aria-[current]:font-semibold max-lg:border-b-2 max-lg:border-transparent max-lg:aria-[current]:border-accent lg:min-h-10 lg:px-3 lg:aria-[current]:bg-accent-tint"
                >
                  {label}
                  {place && today && <Count place={place} today={today} />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}
