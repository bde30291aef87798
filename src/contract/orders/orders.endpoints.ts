import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, ByText, Done } from '#contract/platform/lists.schema.ts';
import { CartDiscount } from '#contract/promotions/cart-discount.schema.ts';
import * as schema from './orders.schema.ts';

export const createOrder = endpoint('POST /api/orders', {
  role: 'customer',
  summary: 'Place an order to be paid on delivery, or by a payment made elsewhere',
  errors: [409, 429],
  idempotencyKey: true,
  maxBodyKb: 256,
  body: schema.CreateOrderBody,
  reply: schema.Order,
  status: 201,
});

export const createCheckoutSession = endpoint('POST /stripe/create-checkout-session', {
  role: 'customer',
  summary: 'Hold the stock and open the provider’s payment page; answers its address',
  errors: [409, 429, 502, 503],
  idempotencyKey: true,
  maxBodyKb: 256,
  body: schema.CheckoutSessionBody,
  reply: schema.CheckoutSession,
});

export const readPayment = endpoint('GET /api/orders/:id/payment', {
  role: 'customer',
  summary: 'Read the state of your own card payment',
  errors: [404],
  params: ById,
  reply: schema.Payment,
});

export const leaveCheckout = endpoint('POST /api/cart/return', {
  role: 'visitor',
  summary: 'Release the stock that a card checkout holds, after coming back from its page',
  body: schema.LeaveCheckoutBody,
  reply: Done,
});

export const listMyOrders = endpoint('GET /api/orders/myorders', {
  role: 'customer',
  summary: 'List your own orders',
  query: schema.ListMyOrdersQuery,
  reply: schema.OrderList,
});

export const readAttempt = endpoint('GET /api/order-attempts/:id', {
  role: 'customer',
  summary: 'Find your own order by the `Idempotency-Key` that it was sent with',
  params: ByText,
  reply: schema.Attempt,
});

export const readOrder = endpoint('GET /api/orders/:id', {
  role: 'customer',
  summary: 'Read an order: your own, or any for administrators',
  errors: [404],
  params: ById,
  reply: schema.Order,
});

export const changeDeliveryNote = endpoint('PUT /api/orders/:id/delivery-note', {
  role: 'customer',
  summary: 'Change the note for the driver until the order has left: your own order, or any for administrators',
  errors: [404, 409, 429],
  params: ById,
  body: schema.DeliveryNoteBody,
  reply: schema.Order,
});

export const withdrawCorrection = endpoint('DELETE /api/office/orders/:id/correction', {
  right: 'change orders',
  summary: 'Withdraw a correction that is waiting for payment',
  errors: [404, 409],
  params: ById,
  reply: schema.Order,
});

export const payDifference = endpoint('POST /api/orders/:id/correction/payment', {
  role: 'customer',
  summary:
    'Open the provider’s page for an amount due on your own order: the difference of a correction, or an order by phone; answers its address',
  errors: [404, 409, 429, 502, 503],
  params: ById,
  reply: schema.PaymentPage,
});

export const readPaymentLink = endpoint('GET /api/payment-links/:id', {
  role: 'visitor',
  summary: 'Read what an emailed payment link asks for; its id is the token of the link',
  errors: [404],
  params: ByText,
  reply: schema.PaymentLink,
});

export const payByLink = endpoint('POST /api/payment-links/:id', {
  role: 'visitor',
  summary: 'Open the provider’s page for an emailed payment link; answers its address',
  errors: [404, 409, 429, 502, 503],
  params: ByText,
  reply: schema.PaymentPage,
});

export const correctDelivery = endpoint('PUT /api/office/orders/:id/delivery-details', {
  right: 'change orders',
  summary: 'Change recipient, address, phone number and agreed days of an order until all of it has left',
  errors: [404, 409],
  params: ById,
  body: schema.DeliveryDetailsBody,
  reply: schema.Order,
});

export const correctOrder = endpoint('POST /api/office/orders/:id/correction', {
  right: 'change orders',
  summary: 'Change the pieces of an order that have not left; without `expected` only reports the difference',
  errors: [404, 409],
  params: ById,
  maxBodyKb: 256,
  body: schema.CorrectionBody,
  reply: schema.Correction,
});

export const deliverOrder = endpoint('PUT /api/orders/:id/deliver', {
  right: 'change orders',
  summary: 'Mark an order as delivered, or undo that',
  errors: [404, 409],
  params: ById,
  body: schema.DeliverBody,
  reply: schema.Order,
});

export const recordCash = endpoint('PUT /api/orders/:id/cash', {
  right: 'change orders',
  summary: 'Record that an order was paid in cash or by transfer, or undo that',
  errors: [404, 409],
  params: ById,
  body: schema.CashBody,
  reply: schema.Order,
});

export const recordOverpayment = endpoint('POST /api/office/orders/:id/overpayments', {
  right: 'change orders',
  summary: 'Record money that came in besides what is due for an order, and has to be paid back',
  errors: [404, 409],
  idempotencyKey: true,
  params: ById,
  body: schema.OverpaymentBody,
  reply: schema.Order,
});

export const undoOverpayment = endpoint('POST /api/office/overpayments/:id/undo', {
  right: 'change orders',
  summary: 'Undo a record of money that came in besides what was due',
  errors: [404, 409],
  params: ById,
  reply: schema.Order,
});

export const retryOverpayment = endpoint('POST /api/office/overpayments/:id/retry', {
  right: 'move money',
  summary: 'Ask the payment provider once more to refund a card payment that was not kept',
  errors: [404, 409, 502, 503],
  params: ById,
  reply: schema.Order,
});

export const payBackOverpayment = endpoint('POST /api/office/overpayments/:id/paid', {
  right: 'move money',
  summary: 'Note that money that came in besides what was due was paid back',
  errors: [404, 409],
  params: ById,
  body: schema.PaidBackBody,
  reply: schema.Order,
});

export const noteNotCollected = endpoint('POST /api/office/orders/:id/not-collected', {
  right: 'change orders',
  summary: 'Note that drivers have collected nothing for pieces that came back',
  errors: [404, 409],
  params: ById,
  body: schema.NotCollectedBody,
  reply: schema.Order,
});

export const writeOff = endpoint('POST /api/office/orders/:id/write-off', {
  right: 'move money',
  summary: 'Write off what is still due for a delivered order, or a part of it',
  errors: [404, 409],
  params: ById,
  body: schema.WriteOffBody,
  reply: schema.Order,
});

export const cancelOwnOrder = endpoint('POST /api/orders/:id/cancel', {
  role: 'customer',
  summary: 'Cancel your own order, or lines of it, before it is packed',
  errors: [404, 409, 429],
  params: ById,
  body: schema.CancelOwnBody,
  reply: schema.Order,
});

export const cancelOrder = endpoint('POST /api/office/orders/:id/cancel', {
  right: 'change orders',
  summary: 'Cancel an order, or lines of it, before it is dispatched',
  errors: [404, 409],
  params: ById,
  body: schema.CancelBody,
  reply: schema.Order,
});

export const refundOrder = endpoint('POST /api/office/orders/:id/refunds', {
  right: 'move money',
  summary: 'Refund an order: an amount, or the price of pieces',
  errors: [404, 409],
  idempotencyKey: true,
  params: ById,
  body: schema.RefundBody,
  reply: schema.Order,
});

export const retryRefund = endpoint('POST /api/office/refunds/:id/retry', {
  right: 'move money',
  summary: 'Ask the payment provider again for a refund that failed',
  errors: [404, 409],
  params: ById,
  body: schema.RetryBody,
  reply: schema.Order,
});

export const settleRefund = endpoint('POST /api/office/refunds/:id/paid', {
  right: 'move money',
  summary: 'Note that a refund was paid back by hand',
  errors: [404, 409],
  params: ById,
  body: schema.SettleBody,
  reply: schema.Order,
});

export const checkCart = endpoint('POST /api/cart/check', {
  role: 'visitor',
  summary: 'Check a cart’s lines against current prices and stock',
  maxBodyKb: 256,
  body: schema.CheckCartBody,
  reply: schema.CheckedCart,
});

export const readCartDiscount = endpoint('POST /api/cart/discount', {
  role: 'visitor',
  summary: 'Work out the discount of a cart, with or without a code, and why a code does not apply',
  errors: [429],
  maxBodyKb: 256,
  body: schema.CartDiscountBody,
  reply: CartDiscount,
});

export const listOrders = endpoint('GET /api/orders', {
  right: 'see orders',
  summary: 'List all orders',
  query: schema.ListOrdersQuery,
  reply: schema.OfficeOrderList,
});

export const readSales = endpoint('GET /api/orders/sales', {
  right: 'see money',
  summary: 'Read recent sales',
  reply: schema.Sales,
});

export const approveOrder = endpoint('PUT /api/office/orders/:id/approval', {
  right: 'change orders',
  summary: 'Approve a larger first order of an account, so that it can be packed',
  errors: [404],
  params: ById,
  reply: schema.Order,
});

export const exportOrders = endpoint('GET /api/orders/export', {
  right: 'see orders',
  summary: 'Download the orders that a list shows as CSV',
  query: schema.ListOrdersQuery,
  download: 'orders.csv',
});
