/** Payer details and a card that succeeds, for tests and drills. */
export const PAYER = {
  email: 'payer@example.com',
  name: 'Pat Payer',
  phone: '07700 900123',
  line1: '2 Low Road',
  city: 'York',
  postal_code: 'YO1 7HH',
  country: 'GB',
  card: '4242 4242 4242 4242',
  expiry: '12 / 40',
  cvc: '123',
};
