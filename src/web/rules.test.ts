import fc from 'fast-check';
import type { RouteObject } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { LIST_PARAMETERS, listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { MARKETS } from '#contract/market/market.ts';
import { pageNumberOf } from '#contract/platform/lists.ts';
import { currentLink } from '#web/layout/links.ts';
import { cartSlice, itemAdded, itemRemoved, quantityChanged } from '#web/state/cart.slice.ts';
import { loginPathFor } from './app/guards.tsx';
import { officePages } from './office-routes.ts';
import { routesWith } from './routes.tsx';
import { targetAfterLogin, targetOf } from './shop/accounts/redirect.ts';
import { type CheckoutFields, checkCheckout, emptyFields, FIELD_NAMES, filledFields, payloadOf } from './shop/checkout/checkout-form.ts';
import { chipsOf, withoutFilters } from './shop/filters/applied-filters.ts';
import { linksWithoutOne } from './shop/filters/fewer-filters.ts';
import { listQueryOf, withFiltersFromSearch, withParameters } from './shop/filters/list-url.ts';
import { enteredPrice, priceText } from './shop/filters/prices.ts';
import { errorsIn, loadValidator } from './ui/form/rules.ts';
import { pagesAround } from './ui/pagination.tsx';
import { halfStars } from './ui/stars.tsx';

const pathsOf = ({ path = '', children = [] }: RouteObject): string[] => [path, ...children.flatMap(pathsOf)];

test.each([
  ['cart', '/cart'],
  ['newarrivals', '/newarrivals'],
  ['refund-policy', '/refund-policy'],
  ['nope', '/'],
  ['login', '/'],
  ['order', '/'],
  ['product', '/'],
  ['admin', '/'],
  ['Cart', '/'],
  ['', '/'],
  [null, '/'],
  ['//evil.example', '/'],
  ['https://evil.example', '/'],
  ['/\\evil', '/'],
  ['product/019a-b', '/product/019a-b'],
  ['product/019a-b#write-review', '/product/019a-b#write-review'],
  ['product/019a-b#elsewhere', '/'],
  ['product/../admin', '/'],
  ['product//evil.example', '/'],
  ['a/b', '/'],
  ['javascript:alert(1)', '/'],
  ['..', '/'],
])('after a login, redirect=%j leads to %s (§2.10.3)', (redirect, path) => {
  expect(targetOf(redirect)).toBe(path);
});

test('after a login every public screen with a path of one segment can be come back to, but for those of the account itself (§2.10.3)', () => {
  const account = ['login', 'register', 'forget-password', 'verify-otp', 'change-password'];
  const paths = routesWith(officePages)
    .flatMap(pathsOf)
    .flatMap((path) => /^\/([^/:*]+)$/.exec(path)?.[1] ?? []);
  for (const segment of paths) expect(targetOf(segment)).toBe(account.includes(segment) ? '/' : `/${segment}`);
  expect(paths).toContain('orders');
});

test.each([
  [null, '/order/019a-b', '/order/019a-b'],
  ['', '/order/019a-b#returns', '/order/019a-b#returns'],
  ['cart', '/order/019a-b', '/cart'],
  [null, '//evil.example', '/'],
  [null, '/admin/userlist', '/'],
  ['admin', '/admin/orderlist?queue=pack', '/admin/orderlist?queue=pack'],
  ['admin', '//evil.example', '/'],
  ['admin', '/order/019a-b', '/'],
  [null, undefined, '/'],
])('after a login with redirect=%j, for which the guard has kept %j, %s follows', (redirect, wanted, path) => {
  expect(targetAfterLogin(redirect, wanted === undefined ? null : { wanted })).toBe(path);
});

test.each([
  ['/order/1', '/login'],
  ['/orders', '/login?redirect=orders'],
  ['/profile', '/login?redirect=profile'],
])('the login guard sends %s to %s (§2.2.1)', (from, to) => {
  expect(loginPathFor(from)).toBe(to);
});

test.each([
  [4.6, 10],
  [4.5, 9],
  [3.2, 7],
  [0, 0],
  [3, 6],
])('a rating of %f shows %i half stars (§3.3)', (rating, halves) => {
  expect(halfStars(rating)).toBe(halves);
});

describe('checkout', () => {
  const good = {
    ...emptyFields(MARKETS.classic),
    email: 'a@b.co',
    fullName: 'A',
    phone: '07700900123',
    address1: 'x',
    city: 'y',
    state: 'z',
    zip: '54000',
  };
  const item = { _id: 'a', name: 'A', image: '', price: 1, qty: 1 };
  const errors = async (fields: CheckoutFields) => {
    const schema = async () => (await import('#contract/orders/orders.schema.ts')).CreateOrderBody;
    const body = (typed: CheckoutFields) => payloadOf(typed, [item], 1, 'standard');
    const validate = await loadValidator({ schema });
    return errorsIn({ body, names: FIELD_NAMES, check: checkCheckout(MARKETS.classic) }, validate, fields);
  };
  test('what is shown is what is sent: a country or a way to pay that cannot be chosen here gives way to the default (§10.4)', () => {
    const draft = { country: 'Pakistan', paymentMethod: 'Barter', city: 7 as never };
    expect(filledFields(MARKETS.uk, draft)).toMatchObject({ country: 'United Kingdom', paymentMethod: 'Cash on Delivery', city: '' });
    expect(filledFields(MARKETS.classic, draft)).toMatchObject({ country: 'Pakistan' });
    expect(filledFields(MARKETS.classic, { country: 'France' }, draft)).toMatchObject({ country: 'Pakistan' });
  });
  test('an online payment starts without an id, and cash is COD (§3.9)', () => {
    expect(filledFields(MARKETS.classic, { paymentMethod: 'Online Payment' }).paymentId).toBe('');
    expect(filledFields(MARKETS.classic, { paymentMethod: 'Online Payment', paymentId: 'TX-1' }).paymentId).toBe('TX-1');
    expect(filledFields(MARKETS.classic, { paymentId: 'TX-1' }).paymentId).toBe('COD');
  });
  test('starts with Pakistan, Cash on Delivery and COD (§9.5)', async () => {
    expect(emptyFields(MARKETS.classic)).toMatchObject({ country: 'Pakistan', paymentMethod: 'Cash on Delivery', paymentId: 'COD' });
    expect(await errors(good)).toEqual({});
  });
  test.each([
    ['email', '', 'Email is required'],
    ['email', 'nonsense', 'Email is invalid'],
    ['fullName', ' ', 'Full name is required'],
    ['phone', '', 'Phone number is required'],
    ['phone', '123', 'Phone number must be 11 digits'],
    ['address1', '', 'Address line 1 is required'],
    ['city', '', 'City is required'],
    ['state', '', 'State is required'],
    ['zip', '', 'ZIP code is required'],
    ['zip', '123', 'ZIP code must be 5 digits'],
  ] as const)('%s of %j says: %s (§5.2)', async (field, value, message) => {
    expect(await errors({ ...good, [field]: value })).toEqual({ [field]: message });
  });
  test('a county is optional in the United Kingdom, where post does not need it', async () => {
    expect(await errors({ ...good, country: 'United Kingdom', state: '' })).toEqual({});
  });
  test('an online payment needs its id, and an empty form names every field at once (§5.2)', async () => {
    const online = { ...good, paymentMethod: 'Online Payment', paymentId: '' };
    expect(await errors(online)).toEqual({ paymentId: 'Payment ID is required for online payments' });
    expect(await errors({ ...good, paymentId: '' })).toEqual({});
    const empty = Object.fromEntries(Object.keys(good).map((name) => [name, ''])) as unknown as CheckoutFields;
    const named = ['email', 'fullName', 'phone', 'address1', 'city', 'state', 'zip'];
    expect(Object.keys(await errors({ ...empty, country: 'Pakistan' }))).toEqual(named);
    expect(Object.keys(await errors({ ...online, email: 'nonsense', city: '' }))).toEqual(['email', 'city', 'paymentId']);
  });
});

const none: never[] = [];
const NO_FACETS: Facets = {
  total: 0,
  isEstimate: false,
  sizes: { width: null, depth: null, height: null, seatHeight: null },
  categories: none,
  seats: none,
  subCategories: none,
  brands: none,
  fits: none,
  colours: none,
  materials: none,
  ratings: none,
  flags: none,
};
const listed = (address: string) => new URLSearchParams(listParametersOf(new URLSearchParams(address)));

describe('the list’s address', () => {
  const search = listed('inStock=true&minPrice=100&gclid=1&currPage=3&query=Sofa');
  test('any change goes back to page 1, an empty value removes its parameter (§5.7)', () => {
    expect(withParameters(search, { sortBy: 'rating' })).toBe('/shop?query=Sofa&sortBy=rating&inStock=true&minPrice=100');
    expect(withParameters(search, { inStock: '' })).toBe('/shop?query=Sofa&minPrice=100');
    expect(withParameters(search, { currPage: '4' })).toBe('/shop?query=Sofa&currPage=4&inStock=true&minPrice=100');
    expect(withoutFilters(search)).toBe('/shop');
  });
  test('filters in force are named', () =>
    expect(chipsOf(search, null).map(({ text }) => text)).toEqual(['Sofa', 'In stock only', 'From £100']));
  test('each value in force has a chip of its own, spelled as the catalogue does, and takes only itself off (§2.6.4)', () => {
    const facets = { materials: [{ value: 'Oak', count: 1 }] } as unknown as Facets;
    const several = listed('category=Lamp&colour=grey_green&material=OAK&rating=4&new=true&maxWidth=80&unit=in');
    expect(chipsOf(several, { ...NO_FACETS, ...facets })).toMatchObject([
      { text: 'Lamp', href: '/shop?colour=green_grey&material=OAK&rating=4&new=true&maxWidth=80&unit=in' },
      { text: 'Colour: Green', href: '/shop?category=Lamp&colour=grey&material=OAK&rating=4&new=true&maxWidth=80&unit=in' },
      { text: 'Colour: Grey' },
      { text: 'Material: Oak' },
      { text: 'Width up to 80 in' },
      { text: 'Rated 4 and up' },
      { text: 'New!' },
    ]);
    expect(withoutFilters(several)).toBe('/shop?unit=in');
    // Each length in inches stands for the same whole millimetres.
    const asked = { asks: { colourQuery: 'grey', maxWidthQuery: '200', doorQuery: '76', sortBy: 'ascprice' }, plainSearch: 'sofa' };
    const spelled = withFiltersFromSearch(listed('search=cheap+grey+sofa+under+2+m&unit=in'), asked);
    expect(withParameters(spelled, {})).toBe(
      '/shop?search=sofa&typed=cheap+grey+sofa+under+2+m&sortBy=ascprice&colour=grey&maxWidth=78.75&door=29.93&unit=in',
    );
    // A further choice keeps what was typed, one that takes something off does not.
    expect(withParameters(spelled, { colour: 'grey_green', inStock: 'true' })).toContain('typed=cheap');
    for (const changes of [{ colour: 'green' }, { colour: '' }, { sortBy: 'rating' }])
      expect(withParameters(spelled, changes)).not.toContain('typed');
    expect(
      withFiltersFromSearch(listed('search=sofa&typed=cheap+sofa'), { asks: { colourQuery: 'grey' }, plainSearch: 'sofa' }).get('typed'),
    ).toBe('cheap sofa');
    expect(withoutFilters(spelled)).toBe('/shop?search=sofa&sortBy=ascprice&unit=in');
  });
  test('an empty list says what it would have without each filter, and leads there', () => {
    const search = listed('search=oak&colour=grey_purple&minPrice=5&maxPrice=9');
    const without: ProductList['without'] = [
      { filter: 'colours', total: 1, isMore: false },
      { filter: 'price', total: 1000, isMore: true },
      { filter: 'search', total: 3, isMore: false },
    ];
    expect(linksWithoutOne(search, null, without)).toEqual([
      { text: 'Without ‘Grey, Purple’: 1 product', href: '/shop?search=oak&minPrice=5&maxPrice=9' },
      { text: 'Without ‘From £5, Up to £9’: more than 1,000 products', href: '/shop?search=oak&colour=grey_purple' },
      { text: 'Without ‘oak’: 3 products', href: '/shop?minPrice=5&maxPrice=9&colour=grey_purple' },
    ]);
  });
  test('a price that was left as the form showed it keeps its pence', () => {
    expect(enteredPrice('12', '12.7')).toBe('12.7');
    expect(enteredPrice(' 13 ', '12.7')).toBe('13');
    expect(enteredPrice('', '12.7')).toBe('');
    expect(enteredPrice('1,200', null)).toBe('1,200');
  });
  test.each([
    ['search=null&query=undefined&brand=&category=%20&inStock=false&sortBy=bestmatch&currPage=1&minPrice=cheap&maxPrice=1e400', ''],
    ['maxPrice=9&gclid=1&query=Sofa&category=Lamp&search=%20oak%20', 'search=oak&query=Sofa&maxPrice=9'],
    ['category=Lamp&query=null&inStock=1&sortBy=ASCPRICE&currPage=02', 'category=Lamp&currPage=2&sortBy=ascprice&inStock=true'],
    ['sortBy=stock&inStock=maybe&minPrice=£1,200.50&search=a&search=b', 'search=a&minPrice=1200.5'],
    ['colour=grey&colour=Gray_beige&colour=&material=Velvet_oak_VELVET', 'colour=beige_grey&material=oak_Velvet'],
    ['rating=4.5&new=on&fit=null&unit=cm&maxWidth=0200.50&minDepth=wide', 'rating=4.5&new=true&maxWidth=200.5'],
    ['rating=6&new=no&unit=IN&maxWidth=78.75&minHeight=-6', 'maxWidth=78.75&unit=in'],
    ['minPrice=12.7&minPrice=12&maxPrice=50.5&maxPrice=60', 'minPrice=12.7&maxPrice=60'],
    ['minPrice=12.7&minPrice=', ''],
  ])('of %s, %j counts (§2.6.1)', (address, counts) => {
    expect(listed(address).toString()).toBe(counts);
  });
  // Otherwise the browser, which reads the address itself, would render another page than the server, which reads the cache's key.
  test('reading what counts again changes nothing', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.double().map(String),
      fc.constantFrom(' null', '\0', '007', '£ 5', '1,000', 'ON'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...LIST_PARAMETERS), value)), (entries) => {
        const once = listed(new URLSearchParams(entries).toString()).toString();
        expect(listed(once).toString()).toBe(once);
      }),
    );
  });
  test('what is filtered by is said in pounds, with pence where there are any', () => {
    const applied = chipsOf(listed('minPrice=1200.5&maxPrice=2000'), null);
    expect(applied.map(({ text }) => text)).toEqual(['From £1,200.50', 'Up to £2,000']);
  });
  test('price fields start as integers', () => expect(['12.9', 'abc', null, '7'].map(priceText)).toEqual(['12', '', '', '7']));
  test('the URL’s parameters reach the API by its names (§7.4)', () => {
    expect(listQueryOf(listed('category=Lamp'))).toMatchObject({ categoryQuery: 'Lamp' });
    expect(listQueryOf(listed('query=Sofa&category=Lamp&currPage=2&inStock=true'))).toMatchObject({
      categoryQuery: 'Sofa',
      pageNumber: '2',
      inStockQuery: 'true',
      subCategoryQuery: '',
    });
    expect(
      listQueryOf(listed('colour=green&material=oak&fit=Study&rating=4&new=1&minWidth=10&maxHeight=100&door=30&unit=in')),
    ).toMatchObject({
      colourQuery: 'green',
      materialQuery: 'oak',
      fitQuery: 'Study',
      ratingQuery: '4',
      newQuery: 'true',
      minWidthQuery: 25.4,
      maxWidthQuery: '',
      maxHeightQuery: 254,
      doorQuery: 76.2,
    });
  });
});

describe('the cart', () => {
  const line = { _id: 'a', name: 'A', image: '', price: 1, qty: 1 };
  const { reducer } = cartSlice;
  const start = reducer(undefined, { type: '' });
  test('adding replaces the line of the same product, otherwise appends (§4.6)', () => {
    const one = reducer(start, itemAdded(line));
    expect(reducer(one, itemAdded({ ...line, qty: 4 })).items).toEqual([{ ...line, qty: 4 }]);
    expect(reducer(one, itemAdded({ ...line, _id: 'b' })).items).toHaveLength(2);
  });
  test('a quantity below 1 is ignored; removal is its own act (§4.6)', () => {
    const one = reducer(start, itemAdded(line));
    expect(reducer(one, quantityChanged({ _id: 'a', qty: 0 })).items[0]?.qty).toBe(1);
    expect(reducer(one, itemRemoved('a')).items).toEqual([]);
  });
});

test.each([
  [undefined, 1],
  ['', 1],
  ['0', 1],
  ['-3', 1],
  ['2.5', 1],
  ['2abc', 1],
  ['abc', 1],
  ['1e3', 1],
  ['2', 2],
  [' 007 ', 7],
  ['2000000000', 1_000_000_000],
  ['9'.repeat(400), 1_000_000_000],
])('the page number %j is page %i (§12.2)', (value, page) => {
  expect(pageNumberOf(value)).toBe(page);
});

test.each([
  ['/', '', '/'],
  ['/shop', '', '/shop'],
  ['/shop/', '?gclid=1&sortBy=rating', '/shop'],
  ['/shop', '?currPage=2&query=sofa', '/shop?query=Sofa'],
  ['/shop', '?search=oak', undefined],
  ['/shop', '?query=Lamp', undefined],
  ['/cart', '', undefined],
])('on %s%s the header marks %s', (pathname, search, to) => {
  expect(currentLink({ pathname, search })).toBe(to);
});

test.each([
  [1, 1, [1]],
  [1, 9, [1, 2, undefined, 9]],
  [5, 9, [1, undefined, 4, 5, 6, undefined, 9]],
  [2, 3, [1, 2, 3]],
  [1, 4, [1, 2, 3, 4]],
  [4, 6, [1, 2, 3, 4, 5, 6]],
])('page %i of %i shows %j (§9.2)', (page, pages, shown) => {
  expect(pagesAround(page, pages)).toEqual(shown);
});
