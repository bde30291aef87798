import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import type { RootState } from '#web/state/store.ts';
import { RouterError } from './app/error-pages.tsx';
import { RequireAdmin, RequireUser } from './app/guards.tsx';
import { Root } from './app/root.tsx';

interface PageModule {
  Component: ComponentType;
  loader?: LoaderFunction;
  shouldRevalidate?: ShouldRevalidateFunction;
}

/** What the server needs of a route before it renders. */
export interface PageHandle {
  /** The source file, whose chunk is preloaded. */
  module: string;
  /** The page's HTTP status; 200 by default. */
  status?: (state: RootState) => number;
}

/** All matched routes are resolved before the first render, so that the router never waits. */
function Nothing() {
  return null;
}

const page = (path: string, module: string, lazy: () => Promise<PageModule>, status?: PageHandle['status']): RouteObject => ({
  id: path,
  path,
  // Paths as the specification spells them (clarifications, section 11).
  caseSensitive: true,
  handle: { module: `src/web/${module}`, status } satisfies PageHandle,
  lazy,
});

const publicPages = [
  page('/', 'shop/home/home-page.tsx', () => import('./shop/home/home-page.tsx')),
  page('/newarrivals', 'shop/catalogue/new-arrivals-page.tsx', () => import('./shop/catalogue/new-arrivals-page.tsx')),
  page('/shop', 'shop/catalogue/shop-page.tsx', () => import('./shop/catalogue/shop-page.tsx')),
  page(
    '/product/:id',
    'shop/product/product-page.tsx',
    () => import('./shop/product/product-page.tsx'),
    ({ productDetail }) => productDetail.errorStatus || 200,
  ),
  page('/cart', 'shop/cart/cart-page.tsx', () => import('./shop/cart/cart-page.tsx')),
  page('/checkout', 'shop/checkout/checkout-page.tsx', () => import('./shop/checkout/checkout-page.tsx')),
  page('/successPayment', 'shop/checkout/success-page.tsx', () => import('./shop/checkout/success-page.tsx')),
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

const adminPages = [
  page('/admin/userlist', 'admin/accounts/user-list-page.tsx', () => import('./admin/accounts/user-list-page.tsx')),
  page('/admin/editUser/:id', 'admin/accounts/edit-user-page.tsx', () => import('./admin/accounts/edit-user-page.tsx')),
  page('/admin/productlist', 'admin/catalogue/product-list-page.tsx', () => import('./admin/catalogue/product-list-page.tsx')),
  page('/admin/editproduct/:id', 'admin/catalogue/edit-product-page.tsx', () => import('./admin/catalogue/edit-product-page.tsx')),
  page('/admin/createproduct', 'admin/catalogue/create-product-page.tsx', () => import('./admin/catalogue/create-product-page.tsx')),
  page('/admin/orderlist', 'admin/orders/list/order-list-page.tsx', () => import('./admin/orders/list/order-list-page.tsx')),
  page('/admin/promotions', 'admin/promotions/promotions-page.tsx', () => import('./admin/promotions/promotions-page.tsx')),
  page('/admin/settings', 'admin/settings/settings-page.tsx', () => import('./admin/settings/settings-page.tsx')),
  page('/admin/stock', 'admin/stock/stock-page.tsx', () => import('./admin/stock/stock-page.tsx')),
  page('/admin/orderdetails/:id', 'admin/orders/order-detail-page.tsx', () => import('./admin/orders/order-detail-page.tsx')),
];

const notFound = page(
  '*',
  'app/not-found-page.tsx',
  () => import('./app/not-found-page.tsx'),
  () => 404,
);

/** The route table of specification §2. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouterError,
    HydrateFallback: Nothing,
    children: [
      ...publicPages,
      { Component: RequireUser, children: customerPages },
      { Component: RequireAdmin, children: adminPages },
      notFound,
    ],
  },
];
