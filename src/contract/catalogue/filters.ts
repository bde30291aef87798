import type { Bound } from './length-bounds.ts';

/** A filter by values from a list; a product must have one of them. */
export interface ValueFilter {
  kind: 'values';
  /** The compared column of `products`, in lower case if `shown` is another one. */
  column: string;
  /** The column whose values are counted. */
  shown: string;
  /** How the column holds values: one, an array, or a text of values joined by commas. */
  holds: 'one' | 'several' | 'listed';
  /** Its name in the page's URL, and in the API. */
  parameter: string;
  query: `${string}Query`;
  label: string;
  /** The prefix of a value on its chip. */
  chip: string;
  /** Its values are unfolded in the panel from the start. */
  isOpen?: boolean;
}

/** A filter that is on or off. */
interface FlagFilter {
  kind: 'flag';
  /** A boolean column, or a condition. */
  column: string;
  parameter: string;
  query: `${string}Query`;
  chip: string;
}

/** A filter by a minimum, 0 to 5. */
interface LeastFilter {
  kind: 'least';
  column: string;
  parameter: string;
  query: `${string}Query`;
}

/** A filter by the visitor's own length, such as a door's width, which the product's must not exceed. Units as of a `RangeFilter`'s lengths. */
interface MostFilter {
  kind: 'most';
  column: string;
  parameter: string;
  query: `${string}Query`;
  chip: string;
}

/**
 * A filter by inclusive bounds. A price is in pounds, and in pence in the database. A length is in the URL's `unit` on pages, in centimetres in the API and in
 * millimetres in the database.
 */
interface RangeFilter {
  kind: 'price' | 'length';
  column: string;
  parameters: readonly [min: string, max: string];
  queries: readonly [min: `${string}Query`, max: `${string}Query`];
  /** Empty for the price, whose chips have texts of their own. */
  label: string;
}

/**
 * The filters of the product list, in the order of their chips. The URL, the API, the SQL condition, the counts and the chips derive from this table, for
 * `values` and `length` the panel too: one more is a row, and an index of its column. The other kinds need a control in `filter-panel.tsx` as well, and
 * another `least` its words on the chip. Columns are of `products`, those of `length` and `most` of `product_dimensions`, which `attributes.ts` fills.
 */
export const FILTERS = {
  categories: {
    kind: 'values',
    column: 'category_key',
    shown: 'category',
    holds: 'one',
    // As the specification's links have it (§2.3.2).
    parameter: 'query',
    query: 'categoryQuery',
    label: 'Category',
    chip: '',
    isOpen: true,
  },
  subCategories: {
    kind: 'values',
    column: 'sub_category_key',
    shown: 'sub_category',
    holds: 'listed',
    parameter: 'subCategory',
    query: 'subCategoryQuery',
    label: 'Subcategory',
    chip: '',
  },
  seats: {
    kind: 'values',
    column: 'seats',
    shown: 'seats',
    holds: 'several',
    parameter: 'seats',
    query: 'seatsQuery',
    label: 'Seats',
    chip: 'Seats: ',
    isOpen: true,
  },
  colours: {
    kind: 'values',
    column: 'colour_families',
    shown: 'colour_families',
    holds: 'several',
    parameter: 'colour',
    query: 'colourQuery',
    label: 'Colour',
    chip: 'Colour: ',
    isOpen: true,
  },
  materials: {
    kind: 'values',
    column: 'materials',
    shown: 'materials',
    holds: 'several',
    parameter: 'material',
    query: 'materialQuery',
    label: 'Material',
    chip: 'Material: ',
  },
  fits: {
    kind: 'values',
    column: 'fit_key',
    shown: 'fit',
    holds: 'one',
    parameter: 'fit',
    query: 'fitQuery',
    label: 'Room or use',
    chip: '',
  },
  brands: {
    kind: 'values',
    column: 'brand_key',
    shown: 'brand',
    holds: 'one',
    parameter: 'brand',
    query: 'brandQuery',
    label: 'Brand',
    chip: 'Brand: ',
  },
  isInStock: { kind: 'flag', column: 'is_available', parameter: 'inStock', query: 'inStockQuery', chip: 'In stock only' },
  price: {
    kind: 'price',
    column: 'from_price',
    label: '',
    parameters: ['minPrice', 'maxPrice'],
    queries: ['minPriceQuery', 'maxPriceQuery'],
  },
  width: {
    kind: 'length',
    column: 'width',
    label: 'Width',
    parameters: ['minWidth', 'maxWidth'],
    queries: ['minWidthQuery', 'maxWidthQuery'],
  },
  depth: {
    kind: 'length',
    column: 'depth',
    label: 'Depth',
    parameters: ['minDepth', 'maxDepth'],
    queries: ['minDepthQuery', 'maxDepthQuery'],
  },
  height: {
    kind: 'length',
    column: 'height',
    label: 'Height',
    parameters: ['minHeight', 'maxHeight'],
    queries: ['minHeightQuery', 'maxHeightQuery'],
  },
  seatHeight: {
    kind: 'length',
    column: 'seat_height',
    label: 'Seat height',
    parameters: ['minSeatHeight', 'maxSeatHeight'],
    queries: ['minSeatHeightQuery', 'maxSeatHeightQuery'],
  },
  door: { kind: 'most', column: 'door', parameter: 'door', query: 'doorQuery', chip: 'Fits a door of ' },
  rating: { kind: 'least', column: 'rating', parameter: 'rating', query: 'ratingQuery' },
  isNew: { kind: 'flag', column: 'is_new_arrival', parameter: 'new', query: 'newQuery', chip: 'New!' },
  isOnSale: { kind: 'flag', column: 'sale_since is not null', parameter: 'sale', query: 'saleQuery', chip: 'Reduced' },
} as const satisfies Record<string, ValueFilter | FlagFilter | LeastFilter | MostFilter | RangeFilter>;

type Filters = typeof FILTERS;
export type FilterName = keyof Filters;
type Kind = Filters[FilterName]['kind'];
type NameOf<K extends Kind> = { [N in FilterName]: Filters[N]['kind'] extends K ? N : never }[FilterName];
export type ValueName = NameOf<'values'>;
export type LengthName = NameOf<'length'>;
type PartOf<F, One extends string, Both extends string> =
  F extends Record<One, infer P> ? P : F extends Record<Both, readonly (infer P)[]> ? P : never;
/** The names of filters in the URL. */
export type FilterParameter = PartOf<Filters[FilterName], 'parameter', 'parameters'>;
/** The names of filters in the API. */
export type FilterQuery = PartOf<Filters[FilterName], 'query', 'queries'>;

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
/** The filters of some kinds. */
export const filtersOfKind = <K extends Kind>(...kinds: K[]): NameOf<K>[] =>
  FILTER_NAMES.filter((name): name is NameOf<K> => kinds.some((kind) => kind === FILTERS[name].kind));

/** A filter's names in the URL and in the API; a pair for each bound of a range. */
export function namesOf(name: FilterName): { parameter: FilterParameter; query: FilterQuery }[] {
  const filter = FILTERS[name];
  if (!('parameters' in filter)) return [{ parameter: filter.parameter, query: filter.query }];
  const [min, max] = filter.parameters;
  return [
    { parameter: min, query: filter.queries[0] },
    { parameter: max, query: filter.queries[1] },
  ];
}

/** The parameters that hold lengths, and which bound each is. */
export const LENGTH_BOUNDS: ReadonlyMap<FilterParameter, Bound> = new Map(
  FILTER_NAMES.flatMap((name): [FilterParameter, Bound][] => {
    const filter = FILTERS[name];
    if (filter.kind === 'most') return [[filter.parameter, 'max']];
    if (filter.kind !== 'length') return [];
    const [min, max] = filter.parameters;
    return [
      [min, 'min'],
      [max, 'max'],
    ];
  }),
);
