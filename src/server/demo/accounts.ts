/** The demo's accounts, whose passwords everybody can read. */
export const DEMO_ACCOUNTS = [
  { name: 'Ada Admin', email: 'admin@example.com', password: 'Admin123!', isAdmin: true },
  { name: 'Casey Customer', email: 'customer@example.com', password: 'Customer123!', isAdmin: false },
] as const;
