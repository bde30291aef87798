import type { RouteObject } from 'react-router';
import { OfficeLayout } from './admin/office/office-layout.tsx';
import { RequireAdmin } from './app/admin-guard.tsx';
import { page } from './page-route.ts';

const pages = [
  page('/admin/today', 'admin/office/today-page.tsx', () => import('./admin/office/today-page.tsx')),
  page('/admin/find', 'admin/office/find-page.tsx', () => import('./admin/office/find-page.tsx')),
  page('/admin/userlist', 'admin/accounts/user-list-page.tsx', () => import('./admin/accounts/user-list-page.tsx')),
  page('/admin/editUser/:id', 'admin/accounts/edit-user-page.tsx', () => import('./admin/accounts/edit-user-page.tsx')),
  page('/admin/productlist', 'admin/catalogue/product-list-page.tsx', () => import('./admin/catalogue/product-list-page.tsx')),
  page('/admin/editproduct/:id', 'admin/catalogue/edit-product-page.tsx', () => import('./admin/catalogue/edit-product-page.tsx')),
  page('/admin/createproduct', 'admin/catalogue/create-product-page.tsx', () => import('./admin/catalogue/create-product-page.tsx')),
  page('/admin/orderlist', 'admin/orders/list/order-list-page.tsx', () => import('./admin/orders/list/order-list-page.tsx')),
  page('/admin/createorder', 'admin/phone/new-order-page.tsx', () => import('./admin/phone/new-order-page.tsx')),
  page('/admin/promotions', 'admin/promotions/promotions-page.tsx', () => import('./admin/promotions/promotions-page.tsx')),
  page('/admin/books', 'admin/books/books-page.tsx', () => import('./admin/books/books-page.tsx')),
  page('/admin/reports', 'admin/reports/reports-page.tsx', () => import('./admin/reports/reports-page.tsx')),
  page('/admin/reviews', 'admin/reviews/reviews-page.tsx', () => import('./admin/reviews/reviews-page.tsx')),
  page('/admin/log', 'admin/office/audit-page.tsx', () => import('./admin/office/audit-page.tsx')),
  page('/admin/settings', 'admin/settings/settings-page.tsx', () => import('./admin/settings/settings-page.tsx')),
  page('/admin/stock', 'admin/stock/stock-page.tsx', () => import('./admin/stock/stock-page.tsx')),
  page('/admin/orderdetails/:id', 'admin/orders/order-detail-page.tsx', () => import('./admin/orders/order-detail-page.tsx')),
];

/** The office's pages in their guard and layout, in chunks that shoppers never load. */
export const officePages: RouteObject[] = [
  { id: 'office-guard', Component: RequireAdmin, children: [{ id: 'office-layout', Component: OfficeLayout, children: pages }] },
];
