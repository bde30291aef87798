import { z } from 'zod';

const pence = z.int();

const summaryFields = {
  _id: z.string(),
  /** A pro forma has the id and the reference of its order. */
  kind: z.enum(['invoice', 'credit_note', 'pro_forma']),
  /** Such as INV-000042. */
  number: z.string(),
  issuedAt: z.string(),
  /** In hundredths of a per cent, the highest of several; null where no VAT was charged. */
  vatRate: z.int().nullable(),
  /** What it comes to at each rate, the highest first; empty where no VAT was charged. */
  rates: z.array(z.object({ rate: z.int(), net: pence, vat: pence, gross: pence })),
  net: pence,
  vat: pence,
  gross: pence,
};

/** An invoice or credit note as its order names it. */
export const InvoiceSummary = z.object(summaryFields);

/** A business that buys, as its invoices name it. */
export const BusinessBuyer = z.object({ company: z.string(), vatNumber: z.string(), orderNumber: z.string() });

const InvoiceLine = z.object({
  name: z.string(),
  /** Size and colour in words, the line's discount, and the rate of VAT where the document has several; may be empty. */
  details: z.string(),
  qty: z.int(),
  /** Of one piece, with VAT. */
  price: pence,
  net: pence,
  vat: pence,
  gross: pence,
});

/** An invoice without its totals, stored unchanged once it is issued. */
export const InvoiceContent = z.object({
  seller: z.object({
    name: z.string(),
    /** At Companies House. */
    number: z.string(),
    office: z.string(),
    email: z.string(),
    /** The URL of the logo of that day; documents of earlier versions have none. */
    logo: z.string().optional(),
    /** Empty where the company was not registered for VAT. */
    vatNumber: z.string(),
  }),
  buyer: z.object({
    name: z.string(),
    /** The lines of the address. */
    address: z.array(z.string()),
    /** A business; documents of earlier versions have none. */
    business: BusinessBuyer.optional(),
  }),
  order: z.object({ reference: z.string(), placedAt: z.string(), paymentMethod: z.string() }),
  lines: z.array(InvoiceLine),
  /** Of a credit note: why, and which invoice it corrects. */
  reason: z.string(),
  corrects: z.object({ number: z.string(), issuedAt: z.string() }).nullable(),
});

export const Invoice = z.object({ ...summaryFields, ...InvoiceContent.shape });

const QUARTER = 'Choose a quarter, such as 2026-Q4.';
/** A quarter of the calendar, in the shop's time. */
export const QuarterQuery = z.object({ quarter: z.string(QUARTER).regex(/^20\d{2}-Q[1-4]$/, QUARTER) });
