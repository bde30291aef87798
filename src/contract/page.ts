import type { ShopDelivery } from '#contract/delivery/methods.ts';
import type { Company } from '#contract/market/company.ts';
import type { MarketName } from '#contract/market/market.ts';
import type { Call } from './api.ts';

/** The facts about the shop that every page needs. */
export interface ShopFacts {
  /** Origin for canonical links and social cards, such as `https://shop.example`. */
  origin: string;
  /** The origin of pictures, if not the shop itself. */
  pictures?: string | undefined;
  market: MarketName;
  company: Company;
  delivery: ShopDelivery;
}

/** The input of rendering a page. */
export interface PageRequest {
  /** Path and query, such as `/shop?query=Sofa`. */
  url: string;
  shop: ShopFacts;
  call: Call;
}

/** A rendered page, without the document around it. */
export interface PageReply {
  status: number;
  /** The target of a redirect (3xx). */
  location?: string;
  /** Title, metadata and preloads. */
  head: string;
  /** The markup inside the root element. */
  body: string;
  /** The initial state for the browser, sent as a JSON data block. */
  state: unknown;
  /** Source files of the lazy chunks that this page needs, for module preloads. */
  modules: string[];
  /** ISO time at which the page expires, such as the next cut-off for orders; undefined if time does not change it. */
  until?: string | undefined;
  /** Whether the URL names something that the page does not have, such as a size: there is no end of such URLs, so the page is not cached. */
  isInvented?: boolean;
}

export type Render = (request: PageRequest) => Promise<PageReply>;

/**
 * Escapes each slash after a slash, since the router would match `//` to the home page. Server and browser both do so, and find the same page.
 */
export function oneSpelling(pathname: string): string {
  return pathname.replace(/(?<=\/)\//g, '%2F');
}

/** Ids of React's root element and of the JSON data block. No form field has such a name. */
export const ROOT_ID = 'page-root';
export const STATE_ID = 'page-state';
