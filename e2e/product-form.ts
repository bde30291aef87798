import type { Page } from '@playwright/test';
import type { Shop } from './fixtures.ts';

/** A product as the API gives it. */
export interface FullProduct {
  _id: string;
  name: string;
  price: number;
  countInStock: number;
  images: string[];
  version: number;
  [field: string]: unknown;
}

export const PICTURES = ['demo/pictures/alder-carver-chair.webp', 'demo/pictures/alder-carver-chair-front.webp'];

export const choose = (page: Page, files: string | string[] | { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByRole('group', { name: 'Images' }).locator('input[type=file]').setInputFiles(files);

/** The pictures that the form shows. */
export const previews = (page: Page) => page.getByRole('group', { name: 'Images' }).getByRole('listitem').getByRole('img');
export const namesOf = (page: Page) => previews(page).evaluateAll((pictures) => pictures.map((picture) => picture.getAttribute('alt')));

export const read = (shop: Shop, id: string) => shop.call<FullProduct>('GET', `/api/products/${id}`);
export const save = (page: Page) => page.getByRole('button', { name: 'Update Product' }).click();
