import type { RouteObject } from 'react-router';
import { RouterError } from './app/error-pages.tsx';
import { RequireUser } from './app/guards.tsx';
import { Root } from './app/root.tsx';
import { type PageHandle, page } from './page-route.ts';

/** Never seen, since all matched routes are resolved before the first render. */
function NoFallback() {
  return null;
}

const publicPages = [
  page('/', 'shop/home/home-page.tsx', () => import('./shop/home/home-page.tsx')),
  page('/newarrivals', 'shop/catalogue/new-arrivals-page.tsx', () => import('./shop/catalogue/new-arrivals-page.tsx')),
  page('/shop', 'shop/catalogue/shop-page.tsx', () => import('./shop/catalogue/shop-page.tsx')),
  page('/product/:id', 'shop/product/product-page.tsx', () => import('./shop/product/product-page.tsx'), {
    status: ({ productDetail: { errorStatus, related } }) => (related?.isGone ? 410 : errorStatus || 200),
  }),
  page('/cart', 'shop/cart/cart-page.tsx', () => import('./shop/cart/cart-page.tsx'), {
    part: (search) => `src/web/shop/${search.has('wishlist') ? 'wishlist/wish-list.tsx' : 'cart/cart.tsx'}`,
  }),
  page('/checkout', 'shop/checkout/checkout-page.tsx', () => import('./shop/checkout/checkout-page.tsx')),
  page('/successPayment', 'shop/checkout/success-page.tsx', () => import('./shop/checkout/success-page.tsx')),
  page('/pay/:token', 'shop/orders/pay-page.tsx', () => import('./shop/orders/pay-page.tsx')),
  page('/login', 'shop/accounts/login-page.tsx', () => import('./shop/accounts/login-page.tsx')),
  page('/register', 'shop/accounts/register-page.tsx', () => import('./shop/accounts/register-page.tsx')),
  page('/forget-password', 'shop/accounts/forget-password-page.tsx', () => import('./shop/accounts/forget-password-page.tsx')),
  page('/verify-otp', 'shop/accounts/verify-otp-page.tsx', () => import('./shop/accounts/verify-otp-page.tsx')),
  page('/change-password', 'shop/accounts/change-password-page.tsx', () => import('./shop/accounts/change-password-page.tsx')),
  page('/privacy', 'shop/policies/policy-page.tsx', () => import('./shop/policies/policy-page.tsx')),
  page('/legal', 'shop/policies/policy-page.tsx', () => import('./shop/policies/policy-page.tsx')),
  page('/refund-policy', 'shop/policies/policy-page.tsx', () => import('./shop/policies/policy-page.tsx')),
  page('/shipping-policy', 'shop/policies/policy-page.tsx', () => import('./shop/policies/policy-page.tsx')),
  page('/contact', 'shop/policies/contact-page.tsx', () => import('./shop/policies/contact-page.tsx')),
];

const customerPages = [
  page('/profile', 'shop/accounts/profile-page.tsx', () => import('./shop/accounts/profile-page.tsx')),
  page('/orders', 'shop/orders/order-history-page.tsx', () => import('./shop/orders/order-history-page.tsx')),
  page('/order/:id', 'shop/orders/order-page.tsx', () => import('./shop/orders/order-page.tsx')),
];

const notFound = page('*', 'app/not-found-page.tsx', () => import('./app/not-found-page.tsx'), { status: () => 404 });

/** The id of the route whose children are the office's pages. */
export const OFFICE_ROUTE_ID = 'office';

/** The route table of specification §2, with the back office's pages if they are needed. */
export const routesWith = (officePages: RouteObject[]): RouteObject[] => [
  {
    Component: Root,
    ErrorBoundary: RouterError,
    HydrateFallback: NoFallback,
    children: [
      ...publicPages,
      { Component: RequireUser, children: customerPages },
      { id: OFFICE_ROUTE_ID, children: officePages, handle: { module: 'src/web/office-routes.ts' } satisfies PageHandle },
      notFound,
    ],
  },
];

/** Reads the office's pages if a path leads to one of them. */
export const officePagesFor = async (path: string): Promise<RouteObject[]> =>
  path.startsWith('/admin/') ? (await import('./office-routes.ts')).officePages : [];
