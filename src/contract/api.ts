import type * as secondFactor from './accounts/second-factor.endpoints.ts';
import type * as users from './accounts/users.endpoints.ts';
import type * as alerts from './alerts/alerts.endpoints.ts';
import type * as books from './books/books.endpoints.ts';
import type * as bulk from './catalogue/bulk.endpoints.ts';
import type * as catalogue from './catalogue/catalogue.endpoints.ts';
import type * as products from './catalogue/products.endpoints.ts';
import type * as sale from './catalogue/sale.endpoints.ts';
import type * as delivery from './delivery/delivery.endpoints.ts';
import type * as dispatch from './delivery/dispatch.endpoints.ts';
import type * as integrations from './integrations/integrations.endpoints.ts';
import type * as invoices from './invoices/invoices.endpoints.ts';
import type * as office from './office/office.endpoints.ts';
import type * as opening from './opening/opening.endpoints.ts';
import type * as orderMails from './orders/order-mails.endpoints.ts';
import type * as orders from './orders/orders.endpoints.ts';
import type * as reports from './orders/reports.endpoints.ts';
import type * as phone from './phone/phone.endpoints.ts';
import type { InputOf, ReplyOf } from './platform/endpoint.ts';
import type * as policies from './policies/policies.endpoints.ts';
import type * as promotions from './promotions/promotions.endpoints.ts';
import type * as returns from './returns/returns.endpoints.ts';
import type * as reviews from './reviews/reviews.endpoints.ts';
import type * as settings from './settings/settings.endpoints.ts';
import type * as stock from './stock/stock.endpoints.ts';
import type * as wishlist from './wishlist/wishlist.endpoints.ts';

/** All endpoints of a module. */
type In<Module> = Module[keyof Module];
type Endpoints =
  | In<typeof alerts>
  | In<typeof books>
  | In<typeof bulk>
  | In<typeof catalogue>
  | In<typeof delivery>
  | In<typeof dispatch>
  | In<typeof integrations>
  | In<typeof invoices>
  | In<typeof office>
  | In<typeof opening>
  | In<typeof orderMails>
  | In<typeof orders>
  | In<typeof phone>
  | In<typeof policies>
  | In<typeof products>
  | In<typeof promotions>
  | In<typeof reports>
  | In<typeof returns>
  | In<typeof reviews>
  | In<typeof sale>
  | In<typeof secondFactor>
  | In<typeof settings>
  | In<typeof stock>
  | In<typeof users>
  | In<typeof wishlist>;

/** Every endpoint by name, such as `'GET /api/products/:id'`. Types only, so that pages load no validator. */
export type Api = { [E in Endpoints as E['name']]: E };
export type Name = keyof Api;
export type Input<N extends Name> = InputOf<Api[N]>;
export type Reply<N extends Name> = ReplyOf<Api[N]>;

/** Makes a call: over HTTP in the browser, directly on the server. Throws a Problem. */
export type Call = <N extends Name>(name: N, input: Input<N>) => Promise<Reply<N>>;
