import { hash } from '@node-rs/argon2';
import type { Insertable } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { StaffRole } from '#contract/accounts/roles.ts';
import type { Size } from '#contract/catalogue/catalogue.ts';
import type { DeliveryClass } from '#contract/delivery/delivery-classes.ts';
import type { VatClass } from '#contract/invoices/vat.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { createSession, proveSession } from '#server/sessions/session.service.ts';
import { ADDRESS } from './address.ts';

export const PASSWORD = 'Correct-horse-1';
const passwordHash = hash(PASSWORD, { memoryCost: 1024, timeCost: 1 });
let count = 0;

export interface SignedIn {
  _id: string;
  name: string;
  email: string;
  token: string;
  /** For `inject({ …, headers })`. */
  headers: { bearer: string };
}

/** A user with a session; that of an administrator has just been proven again. Pass only what matters to the test. */
export async function aCustomer(
  db: Db,
  user: { name?: string; email?: string; isAdmin?: boolean; staffRole?: StaffRole } = {},
): Promise<SignedIn> {
  count += 1;
  const { name = `Customer ${count}`, email = `customer-${count}-${uuid()}@example.com`, isAdmin = false, staffRole = 'owner' } = user;
  const _id = uuid();
  await db
    .insertInto('users')
    .values({ id: _id, name, email, isAdmin, staffRole, passwordHash: await passwordHash })
    .execute();
  const token = await createSession(db, _id);
  // Only tests of the second factor should be asked for it again.
  if (isAdmin) await proveSession(db, token);
  return { _id, name, email, token, headers: { bearer: token } };
}

export async function anAdmin(db: Db, user: { name?: string; email?: string; staffRole?: StaffRole } = {}): Promise<SignedIn> {
  return aCustomer(db, { name: 'Ada Admin', ...user, isAdmin: true });
}

export interface ProductInput {
  name?: string;
  description?: string;
  fit?: string;
  category?: string;
  subCategory?: string;
  brand?: string;
  vatClass?: VatClass;
  deliveryClass?: DeliveryClass;
  leadWeeks?: number;
  readyFrom?: string;
  setParts?: string;
  measurements?: Size['measurements'];
  price?: number;
  stock?: number;
  sizes?: (Partial<Size> & { size: string })[];
  colors?: string[];
  images?: string[];
  rating?: number;
  isNewArrival?: boolean;
  isRecommend?: boolean;
  createdAt?: string;
}

/** A product for sale; amounts in pence. Returns its id, name and price. */
export async function aProduct(db: Db, product: ProductInput = {}): Promise<{ _id: string; name: string; price: number }> {
  count += 1;
  const { name = `Sofa ${count}`, price = 49_999, stock = 10, sizes = [], colors = [], measurements = [], ...rest } = product;
  const id = uuid();
  const { description = 'A sofa.', fit = 'Living room', category = 'Sofa', subCategory = 'Two-seat', brand = 'Alder', ...others } = rest;
  await db
    .insertInto('products')
    .values({
      id,
      name,
      price,
      countInStock: stock,
      description,
      fit,
      category,
      subCategory,
      brand,
      colors: JSON.stringify(colors.map((value) => ({ colorName: value, hexCode: value }))),
      measurements: JSON.stringify(measurements),
      ...others,
    })
    .execute();
  const rows = sizes.map((size, position) => ({
    productId: id,
    position,
    size: size.size,
    quantity: size.quantity ?? stock,
    price: size.price ?? 0,
    measurements: JSON.stringify(size.measurements ?? []),
  }));
  if (rows.length > 0) await db.insertInto('productSizes').values(rows).execute();
  await deriveAttributes(db, [id]);
  return { _id: id, name, price };
}

type PromotionColumns = Omit<Insertable<DB['promotions']>, 'id'>;

/** A discount code, or with `code: null` an automatic promotion: 10 % off everything by default. */
export async function aPromotion(db: Db, promotion: Partial<PromotionColumns> = {}): Promise<{ _id: string; name: string; code: string }> {
  count += 1;
  const { code = `CODE-${count}`, name = `Promotion ${count}`, ...rest } = promotion;
  const id = uuid();
  await db
    .insertInto('promotions')
    .values({ id, name, code, kind: 'percent', value: 10, ...rest })
    .execute();
  return { _id: id, name, code: code ?? '' };
}

/** The stock of a product over all sizes. */
export async function stockOf(db: Db, id: string): Promise<number> {
  return (await db.selectFrom('products').select('countInStock').where('id', '=', id).executeTakeFirstOrThrow()).countInStock;
}

/** A cart line as the browser sends it. */
export function aLine(
  product: { _id: string; name: string; price: number },
  line: { qty?: number; size?: string; color?: string; price?: number } = {},
) {
  return { _id: product._id, name: product.name, image: '', price: product.price, qty: 1, ...line };
}

/** A cash order's payload; as specification §3.8 says, all four prices hold the cart's sum. */
export function aPayload(lines: ReturnType<typeof aLine>[], payload: Record<string, unknown> = {}) {
  const sum = lines.reduce((total, { price, qty }) => total + price * qty, 0);
  const prices = { itemsPrice: sum, taxPrice: sum, shippingPrice: sum, totalPrice: sum };
  return {
    orderItems: lines,
    shippingAddress: ADDRESS,
    phone: '07700 900123',
    paymentMethod: 'Cash on Delivery',
    orderPaymentID: 'COD',
    ...prices,
    ...payload,
  };
}
