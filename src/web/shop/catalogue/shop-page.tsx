import { SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, type ShouldRevalidateFunction, useNavigate, useRevalidator } from 'react-router';
import { pageNumberOf } from '#contract/base/lists.ts';
import type { ProductCard, ProductList } from '#contract/catalogue.ts';
import { listParametersOf, SORTS } from '#contract/list-parameters.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { Meta } from '#web/parts/meta.tsx';
import { Compare } from '#web/shop/compare/compare.tsx';
import { CompareToggle } from '#web/shop/compare/compare-toggle.tsx';
import { selectProductList, selectShownList } from '#web/state/product-list.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { appliedFilters, useListParameters, withoutFilters, withParameters } from './list-url.ts';
import { loadList } from './load-list.ts';
import { ProductGrid } from './product-grid.tsx';
import { ZeroResults } from './zero-results.tsx';

export const loader = loadList;

/** Opening or closing the comparison changes nothing of the list. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
  const isOverlay = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  const listOf = ({ searchParams }: URL) => new URLSearchParams(listParametersOf(searchParams)).toString();
  return isOverlay && listOf(currentUrl) === listOf(nextUrl) ? false : defaultShouldRevalidate;
};

/** Not part of a list's one true address. */
const NARROWED = { sortBy: '', inStock: '', minPrice: '', maxPrice: '' };

/** The filters' form: without scripts it sends the sort as well. */
const FILTER_FORM = 'filters';

const countText = ({ total, isEstimate }: Pick<ProductList, 'total' | 'isEstimate'>) =>
  total === 1 ? '1 product' : `${isEstimate ? 'about ' : ''}${total.toLocaleString('en-GB')} products`;
/** The same at the beginning of a line. */
const countLine = (list: ProductList) => countText(list).replace(/^a/, 'A');

interface HeadingProps {
  term: string;
  category: string;
  list: ProductList;
}

/** What the list shows, and in which way that differs from what was searched for. */
function Heading({ term, category, list: { total, suggestion, isPartial } }: HeadingProps) {
  if (!term) return <h1>{category || 'All Products'}</h1>;
  return (
    <>
      <h1>
        Show Search Result: <span className="text-clay">{term}</span>
      </h1>
      {total > 0 && suggestion && <p className="mt-2 text-soft">Showing results for “{suggestion}”.</p>}
      {isPartial && <p className="mt-2 text-soft">Nothing matches all of “{term}”. These match most of it.</p>}
    </>
  );
}

function SortSelect({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate();
  const id = useId();
  const sort = (value: string) =>
    void navigate(withParameters(search, { sortBy: value === 'bestmatch' ? '' : value }), { preventScrollReset: true });
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm">
        Sort
      </label>
      <select
        id={id}
        name="sortBy"
        form={FILTER_FORM}
        className="input w-auto"
        value={search.get('sortBy') ?? 'bestmatch'}
        onChange={({ target }) => sort(target.value)}
      >
        {SORTS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What narrows the list: filters of the address, and what the search itself asks for (a price, a length, a colour, a material). */
function Chips({ search, chips }: { search: URLSearchParams; chips: ProductList['chips'] }) {
  const understood = chips.map((chip) => ({ text: chip.label, href: withParameters(search, { search: chip.search }) }));
  const filters = appliedFilters(search);
  if (understood.length + filters.length === 0) return null;
  return (
    <ul aria-label="Applied filters" className="mb-6 flex flex-wrap items-center gap-2">
      {[...understood, ...filters].map(({ text, href }) => (
        <li key={text + href}>
          <Link
            to={href}
            preventScrollReset
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-edge bg-paper px-3 text-sm hover:border-ink"
            aria-label={`Remove filter: ${text}`}
          >
            {text}
            <X aria-hidden="true" className="size-4" />
          </Link>
        </li>
      ))}
      {filters.length > 0 && (
        <li>
          <Link to={withoutFilters(search)} preventScrollReset className="link text-sm">
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

/** What the list's address says, for its heading and its metadata. */
function useAddress() {
  const search = useListParameters();
  const page = pageNumberOf(search.get('currPage'));
  const hrefOf = (to: number) => withParameters(search, { currPage: to === 1 ? '' : String(to) });
  const category = (search.get('query') ?? search.get('category') ?? '').replaceAll('_', ', ');
  return { search, page, hrefOf, term: search.get('search') ?? '', category };
}
type Address = ReturnType<typeof useAddress>;

function ListMeta({ search, page, term, category, image }: Address & { image: string | undefined }) {
  const what = category || 'Every piece of furniture';
  return (
    <Meta
      title={term || `${category || 'All Products'} | Hearth & Oak`}
      description={`${what} at Hearth & Oak, delivered all over the UK.`}
      canonical={withParameters(search, { ...NARROWED, currPage: page === 1 ? '' : String(page) })}
      image={image}
      noindex={term !== ''}
    />
  );
}

const toggle = (product: ProductCard) => <CompareToggle product={product} />;

/** The products, or why there are none. */
function Results({ address: { search, term } }: { address: Address }) {
  const { revalidate } = useRevalidator();
  const { pending, error, errorMessage } = useAppSelector(selectProductList);
  const { products, total, suggestion } = useAppSelector(selectShownList);
  if (error) {
    return (
      <div className="grid justify-items-start gap-4">
        <Alert>{errorMessage}</Alert>
        <Button look="secondary" onClick={() => void revalidate()}>
          Try again
        </Button>
      </div>
    );
  }
  if (products.length > 0) return <ProductGrid products={products} eager={4} label="Products" narrow below={toggle} />;
  if (pending || total > 0) return null;
  const unfiltered = appliedFilters(search).length > 0 ? withoutFilters(search) : undefined;
  return <ZeroResults term={term} suggestion={suggestion} unfiltered={unfiltered} />;
}

function Pages({ address: { page, hrefOf } }: { address: Address }) {
  const list = useAppSelector(selectShownList);
  const { pages, total } = list;
  if (total === 0) return null;
  const shown = Math.min(page, pages);
  return (
    <div className="mt-12 grid gap-3">
      <Pagination page={shown} pages={pages} href={hrefOf} />
      <p className="text-center text-sm text-soft">
        Page {shown} of {list.isEstimate ? `about ${pages.toLocaleString('en-GB')}` : pages}, {countText(list)}
      </p>
    </div>
  );
}

interface FilterDialogProps {
  open: boolean;
  onClose: () => void;
  search: URLSearchParams;
  list: ProductList;
}

/** The filters where the screen has no room for a column. */
function FilterDialog({ open, onClose, search, list }: FilterDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} label="Filters" shape="side sheet-right">
      <div className="grid gap-8 px-6 py-16">
        <h2>Filters</h2>
        <FilterPanel search={search} />
        <Button onClick={onClose}>Show {countText(list)}</Button>
      </div>
    </Dialog>
  );
}

/** The number of products, and the tools to narrow and sort them. */
function Tools({ search, onFilter }: { search: URLSearchParams; onFilter: () => void }) {
  const { error } = useAppSelector(selectProductList);
  const list = useAppSelector(selectShownList);
  return (
    <div className="mb-6 mt-6 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4">
      <p role="status">{!error && countLine(list)}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="secondary" className="noscript:hidden lg:hidden" aria-haspopup="dialog" onClick={onFilter}>
          <SlidersHorizontal aria-hidden="true" className="size-4" /> Filter
        </Button>
        <SortSelect search={search} />
      </div>
    </div>
  );
}

/** The product listing, driven by its URL (specification §2). */
export function Component() {
  const address = useAddress();
  const { search, term, category } = address;
  const [isFiltering, setIsFiltering] = useState(false);
  useCloseOnBack(isFiltering, () => setIsFiltering(false));
  const { pending } = useAppSelector(selectProductList);
  const list = useAppSelector(selectShownList);
  return (
    <main id="main" className="container-page py-section">
      <ListMeta {...address} image={list.products[0]?.images[0]} />
      <Heading term={term} category={category} list={list} />
      <Tools search={search} onFilter={() => setIsFiltering(true)} />
      <div className="gap-12 lg:grid lg:grid-cols-[14rem_1fr]">
        <aside aria-label="Filters" className="hidden noscript:mb-8 noscript:block lg:block">
          <FilterPanel search={search} id={FILTER_FORM} />
        </aside>
        <div aria-busy={pending} className={pending ? 'opacity-60 transition-opacity delay-300' : ''}>
          <Chips search={search} chips={list.chips} />
          <Results address={address} />
          <Pages address={address} />
        </div>
      </div>
      <Compare list={withParameters(search, { currPage: search.get('currPage') ?? '' })} />
      <FilterDialog open={isFiltering} onClose={() => setIsFiltering(false)} search={search} list={list} />
    </main>
  );
}
