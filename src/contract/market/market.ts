import { decimal, type Pence, pounds } from './money.ts';

/** The differences between the shop's two markets, but for what they ask of an address (specification §9; clarifications on money). */
export interface Market {
  readonly name: 'classic' | 'uk';
  readonly defaultCountry: string;
  /** The countries to choose from; undefined for all. */
  readonly countries: readonly string[] | undefined;
  /** The labels of two address fields. */
  readonly labels: { state: string; zip: string };
  /** An amount on shop, product, cart and checkout pages. */
  shopPrice(pence: Pence): string;
  /** An amount in the customer's order history and order detail. */
  orderPrice(pence: Pence): string;
  /** An amount in the back office's orders. The classic market shows pence undivided (specification §9.3), so the note gives it in pounds. */
  adminOrderPrice(pence: Pence): { text: string; note: string | undefined };
  /** The shipping amount that the back office shows: 0 in the classic market (specification §9.3). */
  adminShipping(pence: Pence): Pence;
}

export const UNITED_KINGDOM = 'United Kingdom';

const classic: Market = {
  name: 'classic',
  defaultCountry: 'Pakistan',
  countries: undefined,
  labels: { state: 'State', zip: 'ZIP code' },
  shopPrice: pounds,
  orderPrice: (pence) => `$${decimal(pence)}`,
  adminOrderPrice: (pence) => ({ text: `£${pence}`, note: pounds(pence) }),
  adminShipping: () => 0,
};

const uk: Market = {
  name: 'uk',
  defaultCountry: UNITED_KINGDOM,
  countries: [UNITED_KINGDOM],
  labels: { state: 'County', zip: 'Postcode' },
  shopPrice: pounds,
  orderPrice: pounds,
  adminOrderPrice: (pence) => ({ text: pounds(pence), note: undefined }),
  adminShipping: (pence) => pence,
};

export const MARKETS = { classic, uk } as const;
export type MarketName = keyof typeof MARKETS;
