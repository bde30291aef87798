import { ArrowRight, ListFilter } from 'lucide';
import { Fragment, useContext, useId, useMemo, useState } from 'react';
import { type ShouldRevalidateFunction, useNavigate, useRevalidator } from 'react-router';
import type { ProductCard, ProductList } from '#contract/catalogue/catalogue.ts';
import { FILTER_PARAMETERS, listParametersOf, SEARCH_SORTS, SORTS } from '#contract/catalogue/list-parameters.ts';
import { typedText } from '#contract/catalogue/searched.ts';
import { pounds } from '#contract/market/money.ts';
import { pageNumberOf } from '#contract/platform/lists.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { helpPages } from '#web/layout/help-pages.ts';
import { Meta } from '#web/parts/meta.tsx';
import { severalOf } from '#web/parts/several-of.ts';
import { Compare } from '#web/shop/compare/compare.tsx';
import { CompareToggle } from '#web/shop/compare/compare-toggle.tsx';
import { FilterChips } from '#web/shop/filters/filter-chips.tsx';
import { capitalised, chosenOf, countText, VALUE_FILTERS } from '#web/shop/filters/filters.ts';
import { useListParameters, withFiltersFromSearch, withParameters } from '#web/shop/filters/list-url.ts';
import { selectFacets, selectHead, selectProductList, selectShownList } from '#web/state/product-list.slice.ts';
import { CompanyContext, useAppSelector } from '#web/state/store.ts';
import { useLatestSearch } from '#web/state/use-latest-search.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedLoad } from '#web/ui/failed-load.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { CategoryHead, CategoryRooms, FilterDrawer, FilterPanel, ZeroResults } from './lazy-parts.ts';
import { loadFilteredList } from './load-list.ts';
import { ProductGrid } from './product-grid.tsx';

export const loader = loadFilteredList;

/** Opening or closing the comparison does not reload the list. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
  const onlyParametersChanged = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  const listOf = ({ searchParams }: URL) => new URLSearchParams(listParametersOf(searchParams)).toString();
  return onlyParametersChanged && listOf(currentUrl) === listOf(nextUrl) ? false : defaultShouldRevalidate;
};

/** Removes what a list's canonical URL leaves out: sort, unit, and all filters but category and brand, which are lists of their own. */
const NOT_CANONICAL = Object.fromEntries(
  [...FILTER_PARAMETERS, 'typed' as const, 'sortBy' as const, 'unit' as const]
    .filter((name) => !/^(query|category|brand)$/.test(name))
    .map((name) => [name, '']),
);

/** The sort belongs to this form too: without scripts, both are sent together. */
const FILTER_FORM_ID = 'filters';

/** The number of products, with a capital letter. */
const countLine = (list: ProductList) => capitalised(countText(list));

interface HeadingProps {
  term: string;
  category: string;
  list: ProductList;
}

const quoted = (parts: readonly string[]) => parts.map((part) => `“${part}”`).join(' and ');

/** For a list that matches only part of a search: what was left out. */
function partialText(term: string, { leftOut, nearestPrice }: ProductList): string {
  const nearest = nearestPrice === null ? '' : ` The nearest is ${pounds(nearestPrice).replace(/\.00$/, '')}.`;
  // If only the price was left out, naming the nearest one is enough.
  if (nearest && leftOut.length === 1) return `No ${term}.${nearest}`;
  return `No exact match for “${term}”. These come closest${leftOut.length > 0 ? `: we left out ${quoted(leftOut)}` : ''}.${nearest}`;
}

/** The shop's pages that answer the search. */
function Help({ pages }: { pages: ReturnType<typeof helpPages> }) {
  return (
    <nav aria-label="Help" className="mt-6 flex flex-wrap gap-3">
      {pages.map(({ label, to }) => (
        <Link key={to} to={to} className="btn btn-secondary">
          {label} <Icon of={ArrowRight} className="size-4" />
        </Link>
      ))}
    </nav>
  );
}

/** That a kind of piece is not sold, with what comes nearest. */
function NotSold({ kind, hasProducts, otherSearches }: { kind: string; hasProducts: boolean; otherSearches: readonly string[] }) {
  return (
    <p className="mt-2 text-soft">
      We don’t sell {severalOf(kind)}
      {hasProducts && '; these come closest'}
      {otherSearches.map((search, index) => (
        <Fragment key={search}>
          {index === 0 ? '; the nearest we have are ' : ' and '}
          <Link to={`/shop?search=${encodeURIComponent(search)}`} className="link">
            {search}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  );
}

/** What the list shows, and in which way that differs from what was searched for. */
function Heading({ term, category, list }: HeadingProps) {
  const { total, suggestion, isPartial, notSold } = list;
  const pages = helpPages(list.help);
  if (!term) return <h1>{category || 'All Products'}</h1>;
  return (
    <>
      <h1>
        Show Search Result: <span className="text-clay">{term}</span>
      </h1>
      {pages.length > 0 && <Help pages={pages} />}
      {notSold && <NotSold kind={notSold} hasProducts={total > 0} otherSearches={list.nearest} />}
      {total > 0 && suggestion && <p className="mt-2 text-soft">Showing results for “{suggestion}”.</p>}
      {list.isNothingReduced && <p className="mt-2 text-soft">None of these is reduced at the moment.</p>}
      {isPartial && <p className="mt-2 text-soft wrap-anywhere">{partialText(term, list)}</p>}
    </>
  );
}

/** The sorts to choose from. One that only a search can ask for is among them while it applies. */
const sortOptions = (current: string | null) => [...SORTS, ...SEARCH_SORTS.filter(({ value }) => value === current)];

function SortSelect({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate();
  const id = useId();
  const sort = (value: string) =>
    void navigate(withParameters(search, { sortBy: value === 'bestmatch' ? '' : value }), { preventScrollReset: true });
  return (
    <div className="flex min-w-0 grow items-center gap-2">
      <label htmlFor={id} className="text-sm">
        Sort
      </label>
      <select
        id={id}
        name="sortBy"
        form={FILTER_FORM_ID}
        className="input w-auto min-w-0 grow"
        value={search.get('sortBy') ?? 'bestmatch'}
        onChange={({ target }) => sort(target.value)}
      >
        {sortOptions(search.get('sortBy')).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The parameters of the latest requested list, which the filters show and change, and the sort that words of its search ask for. */
function useLatestParameters() {
  const search = useLatestSearch();
  const list = useAppSelector(selectShownList);
  return useMemo(() => {
    const latest = new URLSearchParams(listParametersOf(search));
    const { sortBy } = list.asks;
    // While it loads, `list` belongs to the previous search, whose filters do not apply.
    if (list.search !== (latest.get('search') ?? '')) return { latest, askedSort: undefined };
    return { latest: withFiltersFromSearch(latest, list), askedSort: latest.has('sortBy') ? undefined : sortBy };
  }, [search, list]);
}

/** What the heading, the metadata and the results read from the list's URL. */
function useAddress() {
  const search = useListParameters();
  const facets = useAppSelector(selectFacets);
  const page = pageNumberOf(search.get('currPage'));
  const hrefOf = (to: number) => withParameters(search, { currPage: to === 1 ? '' : String(to) });
  // The category is the first of these filters.
  const [category] = VALUE_FILTERS.map((filter) => chosenOf(filter, search, facets).join(', '));
  return { search, page, hrefOf, facets, term: typedText(search) ?? '', category: category ?? '' };
}
type Address = ReturnType<typeof useAddress>;

function ListMeta({ search, page, term, category, image }: Address & { image: string | undefined }) {
  const { shop } = useContext(CompanyContext);
  const what = category || 'Every piece of furniture';
  const pageText = page === 1 ? '' : `, page ${page}`;
  return (
    <Meta
      title={term || `${category || 'All Products'}${pageText}`}
      noShopName={term !== ''}
      description={`${what} at ${shop}, delivered all over the UK.`}
      canonical={withParameters(search, { ...NOT_CANONICAL, currPage: page === 1 ? '' : String(page) })}
      image={image}
      noindex={term !== ''}
    />
  );
}

const compareToggle = (product: ProductCard) => <CompareToggle product={product} />;

/** The products, or why there are none. */
function Results({ address: { search, facets } }: { address: Address }) {
  const { revalidate } = useRevalidator();
  const { pending, error, errorMessage } = useAppSelector(selectProductList);
  const list = useAppSelector(selectShownList);
  const { products, total } = list;
  if (error) return <FailedLoad message={errorMessage} onRetry={revalidate} />;
  if (products.length > 0) return <ProductGrid products={products} eager={4} label="Products" narrow below={compareToggle} />;
  // Beyond the last page only the pagination is shown.
  if (pending || total > 0) return null;
  return <ZeroResults search={search} facets={facets} list={list} />;
}

function Pages({ address: { page, hrefOf } }: { address: Address }) {
  const list = useAppSelector(selectShownList);
  const { pending, error } = useAppSelector(selectProductList);
  const { pages, total } = list;
  if (total === 0 && (pending || error)) return null;
  const shownPage = Math.min(page, pages);
  return (
    <div className="waits mt-12 grid gap-3">
      <Pagination page={shownPage} pages={pages} href={hrefOf} />
      <p className="text-center text-sm text-soft">
        Page {shownPage} of {pages}, {countText(list)}
      </p>
    </div>
  );
}

/** The number of products, and the tools to narrow and sort them. */
function Tools({ search, onFilter }: { search: URLSearchParams; onFilter: () => void }) {
  const { error } = useAppSelector(selectProductList);
  const list = useAppSelector(selectShownList);
  const isInStock = search.get('inStock') === 'true';
  return (
    <div className="mb-6 mt-6 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4">
      <p role="status" className="grow">
        {!error && countLine(list)}
      </p>
      <Link
        to={withParameters(search, { inStock: isInStock ? '' : 'true' })}
        preventScrollReset
        className={`btn px-3 lg:hidden ${isInStock ? 'btn-primary' : 'btn-secondary'}`}
        aria-label={isInStock ? 'In stock only, take off' : undefined}
      >
        In stock
      </Link>
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:grow sm:gap-3">
        <Button look="secondary" className="noscript:hidden lg:hidden" aria-haspopup="dialog" onClick={onFilter}>
          <Icon of={ListFilter} className="size-4" /> Filter
        </Button>
        <SortSelect search={search} />
      </div>
    </div>
  );
}

/** The product listing, driven by its URL (specification §2). */
export function Component() {
  const address = useAddress();
  const { search, term, category, facets } = address;
  const { latest, askedSort } = useLatestParameters();
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [wasDrawerOpened, setWasDrawerOpened] = useState(false);
  const openFilters = () => {
    setWasDrawerOpened(true);
    setIsDrawerOpen(true);
  };
  useCloseOnBack(isDrawerOpen, () => setIsDrawerOpen(false));
  const { pending } = useAppSelector(selectProductList);
  const list = useAppSelector(selectShownList);
  const head = useAppSelector((state) => selectHead(state, list.category));
  return (
    <main id="main" className="container-page py-section">
      <ListMeta {...address} image={list.products[0]?.images[0]} />
      <Heading term={term} category={category} list={list} />
      <Tools search={latest} onFilter={openFilters} />
      <div className="gap-12 lg:grid lg:grid-cols-[14rem_1fr]">
        <aside aria-label="Filters" className="hidden noscript:mb-8 noscript:block lg:block">
          <FilterPanel search={latest} facets={facets} id={FILTER_FORM_ID} />
        </aside>
        {/* Where the filters are the longer column, a short list stays in sight beside them. */}
        <div
          aria-busy={pending}
          className={`lg:sticky lg:top-28 lg:self-start ${pending ? 'opacity-60 transition-opacity delay-300' : ''}`}
        >
          {/* Space for the row is reserved: the products stay where they are as the first filter is chosen. */}
          <div className="lg:min-h-14">
            <FilterChips search={latest} askedSort={askedSort} facets={facets} />
          </div>
          <CategoryHead head={head} search={latest} />
          <Results address={address} />
          <Pages address={address} />
        </div>
      </div>
      <CategoryRooms head={address.page === 1 ? head : null} />
      {/* The list's own page: `withParameters` would return to page 1. */}
      <Compare list={withParameters(search, { currPage: search.get('currPage') ?? '' })} />
      {wasDrawerOpened && (
        <FilterDrawer open={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} search={latest} facets={facets} list={list} />
      )}
    </main>
  );
}
