import type { Company } from '#contract/market/company.ts';
import type { MarketName } from '#contract/market/market.ts';
import type { Call } from './api.ts';

/** What is the same on every page of a shop. */
export interface ShopFacts {
  /** Origin for canonical links and social cards, such as `https://shop.example`. */
  origin: string;
  /** Where pictures are shown from, unless it is the shop. */
  pictures?: string | undefined;
  market: MarketName;
  company: Company;
}

/** What the server hands to the web side to render one page. */
export interface PageRequest {
  /** Path and query, such as `/shop?query=Sofa`. */
  url: string;
  shop: ShopFacts;
  call: Call;
}

/** A rendered page, short of the document around it. */
export interface PageReply {
  status: number;
  /** Where to go instead, for 3xx. */
  location?: string;
  /** Title, metadata and preloads. */
  head: string;
  /** The markup inside the root element. */
  body: string;
  /** What the browser starts from; written as a JSON data block. */
  state: unknown;
  /** Source files of the lazy chunks that this page needs, for module preloads. */
  modules: string[];
  /** ISO time from which on the page would be another, such as the next cut-off for orders; undefined where no clock changes it. */
  until?: string | undefined;
}

export type Render = (request: PageRequest) => Promise<PageReply>;

/**
 * A path as the routes read it. Each slash after a slash is escaped, since `//` would match the home page; both sides do the same, so that
 * the browser finds the page that the server rendered.
 */
export function oneSpelling(pathname: string): string {
  return pathname.replace(/(?<=\/)\//g, '%2F');
}

/** Id of the element that React fills, and of the JSON data block beside it. No field of a form has such a name. */
export const ROOT_ID = 'page-root';
export const STATE_ID = 'page-state';
