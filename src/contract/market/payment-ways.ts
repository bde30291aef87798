import { type Pence, pounds } from './money.ts';

/** Wallets of the payment provider. */
export const WALLETS = ['Apple Pay', 'Google Pay', 'PayPal'] as const;

/** Lenders at the payment provider. */
export const LENDERS = ['Klarna', 'Clearpay'] as const;
type Lender = (typeof LENDERS)[number];

const INSTALMENTS: Record<Lender, number> = { Klarna: 3, Clearpay: 4 };

/** What the owner says of paying in instalments; amounts in pounds. */
interface Instalments {
  lender: Lender;
  from: number;
  to: number;
  /** The sentence that the lender asks the shop to show below the amount. */
  words: string;
}

/** Ways to pay besides cards and cash, as set on `/admin/settings`. */
export interface PaymentWays {
  wallets: { wallet: (typeof WALLETS)[number] }[];
  instalments: Instalments[];
}

export const walletsOf = ({ wallets }: PaymentWays) => wallets.map(({ wallet }) => wallet);

/** The lenders who lend this amount. */
const lendersFor = ({ instalments }: PaymentWays, total: Pence) =>
  // The owner's limits are in pounds.
  instalments.filter(({ from, to }) => from * 100 <= total && total <= to * 100);

/** `3 × £433.00`; pennies that are left over are in the first instalments: `£216.34 and 2 × £216.33`. */
function inParts(total: Pence, count: number): string {
  const largerCount = total % count;
  const partText = (parts: number, amount: Pence) => (parts === 0 ? [] : [`${parts === 1 ? '' : `${parts} × `}${pounds(amount)}`]);
  return [...partText(largerCount, Math.ceil(total / count)), ...partText(count - largerCount, Math.floor(total / count))].join(' and ');
}

/** `3 × £433.00 with Klarna`, with the lender's words. */
export const instalmentsOf = (ways: PaymentWays, total: Pence) =>
  lendersFor(ways, total).map(({ lender, words }) => {
    return { text: `${inParts(total, INSTALMENTS[lender])} with ${lender}`, words };
  });

/** The ways in which an amount can be paid on the provider's page. */
export const onlineWays = (ways: PaymentWays, total: Pence) => [...walletsOf(ways), ...lendersFor(ways, total).map(({ lender }) => lender)];

/** Every accepted way to pay. */
export const paymentMarks = (ways: PaymentWays): string[] => [
  'Visa',
  'Mastercard',
  'American Express',
  ...walletsOf(ways),
  ...ways.instalments.map(({ lender }) => lender),
  'Cash at the door',
];
