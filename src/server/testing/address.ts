/** Where parcels of tests, drills and measurements go. */
export const ADDRESS = {
  line1: '1 High Street',
  line2: '',
  city: 'Leeds',
  state: 'West Yorkshire',
  postalCode: 'LS1 4AP',
  country: 'United Kingdom',
};
