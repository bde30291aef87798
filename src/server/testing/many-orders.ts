/** Settings for a shop in which a few buyers place many orders, and nobody pays on delivery. */
export const MANY_ORDERS = {
  RATE_LIMIT_FACTOR: '1000',
  UNPAID_ORDERS: '1000000',
  UNPAID_PIECES: '1000000',
  UNPAID_ORDERS_PER_ADDRESS: '1000000',
  APPROVAL_ABOVE: '0',
};
