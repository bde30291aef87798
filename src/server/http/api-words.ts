import type { Endpoint } from '#contract/base/endpoint.ts';

interface Words {
  summary: string;
  /** Statuses that the call may answer besides those that follow from its role and its payload. */
  errors: readonly number[];
}

const call = (summary: string, ...errors: number[]): Words => ({ summary, errors });

/** What the API's own page says of each call. A test holds it to the routes, and every error to being really answered. */
export const API_WORDS: Readonly<Record<string, Words>> = {
  'POST /api/users/login': call('Log in', 401, 429),
  'POST /api/users': call('Make an account and log in', 409, 429),
  'POST /api/users/proof': call('Enter one’s password, or a code, again before a refund, a promotion or an export', 429),
  'GET /api/users/second-factor': call('Read whether one has a second factor'),
  'POST /api/users/second-factor': call('Begin to set up a second factor: the secret for an app'),
  'POST /api/users/second-factor/confirm': call('Confirm a second factor by a code of its app; answers recovery codes', 429),
  'DELETE /api/users/second-factor': call('Switch one’s second factor off', 409),
  'POST /api/users/logout': call('End this session'),
  'PUT /api/users/profile': call('Change one’s own name, email address or password', 409, 429),
  'POST /api/users/forgot-password': call('Have a code for a new password mailed', 429),
  'POST /api/users/verify-otp': call('Check a code without using it up', 429),
  'POST /api/users/reset-password': call('Set a new password by a code', 429),
  'GET /api/users': call('List users'),
  'GET /api/users/:id': call('Read a user', 404),
  'PUT /api/users/:id': call('Change a user’s name, email address or role', 404, 409),
  'DELETE /api/users/:id': call('Delete a user; their orders stay', 404, 409),
  'GET /api/products': call('List products: search, filter, sort, page'),
  'GET /api/products/facets': call('Count how many products each value of each filter would leave'),
  'GET /api/products/suggestions': call('Suggest products, categories and spellings for a search that is being typed'),
  'GET /api/products/newarrivals': call('List new arrivals'),
  'GET /api/products/room': call('List the pieces in the home page’s room'),
  'GET /api/products/compare': call('Read up to four products to be compared side by side'),
  'GET /api/products/:id': call('Read a product', 404),
  'GET /api/products/:id/related': call('List what goes with a product, and what to take instead of one that is sold out', 404),
  'POST /api/products/:id/alerts': call(
    'Have the owner of an address asked whether they want to hear when a product is back',
    404,
    409,
    429,
  ),
  'POST /api/alerts/confirm': call('Confirm, by the link in a mail, to hear when a product is back', 404),
  'POST /api/alerts/stop': call('Forget, by the link in a mail, who wants to hear when a product is back', 404),
  'POST /api/products': call('Make a product, with pictures', 413, 415),
  'PUT /api/products/:id': call('Change a product and its pictures', 404, 409),
  'DELETE /api/products/:id': call('Take a product out of the shop; orders keep it', 404),
  'GET /api/products/export': call('Download all products as CSV'),
  'POST /api/products/import': call('Check a CSV of products, or carry out what was checked', 409, 413, 415),
  'GET /api/office/products': call('List products as the back office shows them, also by what is nearly, or quite, sold out'),
  'GET /api/products/:id/changes': call('Read who changed a product', 404),
  'GET /api/products/:id/reviews': call('List the reviews of a product, with how many gave which stars', 404),
  'GET /api/products/:id/reviews/mine': call('Read what one has written about a product, may write, and found helpful', 404),
  'POST /api/products/:id/reviews': call('Review a piece that one has received, with pictures', 404, 409, 429),
  'PUT /api/reviews/:id': call('Change a review of one’s own; addresses among its pictures stay', 404, 429),
  'DELETE /api/reviews/:id': call('Take back a review of one’s own', 404),
  'PUT /api/reviews/:id/vote': call('Say that a review was helpful, or take that back', 404, 409, 429),
  'POST /api/reviews/stop-mails': call('End the mails that ask for reviews, by the link in one of them', 404),
  'GET /api/office/products/:id/reviews': call('List all reviews of a product, hidden ones too', 404),
  'PUT /api/reviews/:id/hidden': call('Hide a review with a reason, or show it again', 404),
  'PUT /api/reviews/:id/reply': call('Answer a review publicly, or take the answer back', 404),
  'POST /api/orders': call('Place an order that is paid on delivery, or by a payment that is noted', 409, 429),
  'GET /api/orders/myorders': call('List one’s own orders'),
  'GET /api/orders': call('List all orders'),
  'GET /api/orders/:id': call('Read an order: one’s own, or any for administrators', 404),
  'GET /api/orders/export': call('Download the orders that a list shows as CSV'),
  'GET /api/orders/sales': call('Read what was sold lately'),
  'PUT /api/orders/deliver': call('Mark several orders as delivered, or take that back', 404, 409),
  'PUT /api/orders/:id/deliver': call('Mark an order as delivered, or take that back', 404, 409),
  'PUT /api/orders/:id/stage': call(
    'Say that an order is being packed, was dispatched or could not be delivered, or take that back',
    404,
    409,
  ),
  'POST /api/office/orders/:id/parcels': call('Say that pieces of an order, or all of it, have left the shop as a parcel', 404, 409),
  'PUT /api/office/parcels/:id': call('Change who brings a parcel and how it can be followed', 404),
  'POST /api/orders/:id/cancel': call('Cancel one’s own order, or lines of it, before it is packed', 404, 409),
  'POST /api/office/orders/:id/cancel': call('Cancel an order, or lines of it, before it is dispatched', 404, 409),
  'POST /api/office/orders/:id/refunds': call('Give money of an order back: an amount, or the price of pieces', 404, 409),
  'POST /api/office/refunds/:id/retry': call('Ask the payment provider again for a refund that failed', 404, 409),
  'POST /api/office/refunds/:id/paid': call('Note that a refund was paid back by hand', 404, 409),
  'GET /api/invoices/:id': call('Read an invoice or credit note of an order of one’s own, or any for administrators', 404),
  'GET /api/invoices/:id/pdf': call('Download an invoice or credit note as a PDF', 404),
  'GET /api/office/vat': call('Download the invoices and credit notes of a quarter with their VAT as CSV'),
  'PUT /api/orders/:id/cash': call('Record that cash was received, or take that back', 404, 409),
  'GET /api/orders/:id/payment': call('Ask what became of a card payment of one’s own', 404),
  'GET /api/delivery': call('Tell when an order placed now would arrive'),
  'POST /api/cart/check': call('Ask what became of a cart’s lines'),
  'POST /api/cart/return': call('Give back what a card checkout holds, on coming back from its page'),
  'POST /stripe/create-checkout-session': call('Hold the stock and open the provider’s payment page', 409, 429, 502, 503),
};

export const nameOf = ({ method, url }: Endpoint): string => `${method} ${url}`;

/** What a status means here, whichever call answers it. */
export const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The payload is wrong; `errors` has a text for each field.',
  401: 'Nobody is logged in with this token.',
  403: 'Only administrators may do this; or they must enter password or code again, whichever `errors` names.',
  404: 'There is none, or it is somebody else’s.',
  409: 'It contradicts what there is now, such as a taken address, a changed price, or stock that is gone.',
  413: 'That is too large.',
  415: 'That type of content is not accepted.',
  429: 'Too many attempts. `Retry-After` says how many seconds to wait.',
  502: 'The payment provider refused.',
  503: 'The payment provider cannot be reached. `Retry-After` says when to try again.',
};
