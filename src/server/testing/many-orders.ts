/** Settings that let a few buyers place many unpaid orders. */
export const MANY_ORDERS = {
  RATE_LIMIT_FACTOR: '1000',
  UNPAID_ORDERS: '1000000',
  UNPAID_ORDERS_PER_ADDRESS: '1000000',
  UNPAID_VALUE: '0',
  UNPAID_VALUE_PER_ADDRESS: '0',
  UNPAID_VALUE_PER_NETWORK: '0',
  APPROVAL_ABOVE: '0',
};
