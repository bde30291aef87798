// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { Generated, GeneratedAlways } from 'kysely';

export interface OrdersTables {
  invoices: {
    id: string;
    orderId: string;
    kind: string;
    number: number;
    issuedAt: Generated<string>;
    corrects: string | null;
    vatRate: number | null;
    net: number;
    vat: number;
    gross: number;
    content: unknown;
  };
  orderDisputes: {
    id: string;
    orderId: string;
    status: string;
    amount: number;
    reason: string;
    updatedAt: Generated<string>;
  };
  orderEvents: {
    id: GeneratedAlways<number>;
    orderId: string;
    at: Generated<string>;
    kind: string;
    actor: string;
    detail: Generated<string>;
  };
  orderItems: {
    orderId: string;
    position: number;
    productId: string;
    name: string;
    image: string;
    size: string | null;
    color: string | null;
    qty: number;
    price: number;
    isColourOpen: Generated<boolean>;
    cancelledQty: Generated<number>;
    returnedQty: Generated<number>;
    refundedQty: Generated<number>;
    spoiledQty: Generated<number>;
  };
  orderNetworks: {
    orderId: string;
    network: string;
  };
  orderRefunds: {
    id: string;
    orderId: string;
    createdAt: Generated<string>;
    amount: number;
    reason: string;
    detail: Generated<string>;
    actor: string;
    isByHand: boolean;
    status: string;
    attempt: Generated<number>;
    providerRefundId: string | null;
    failure: Generated<string>;
    requestKey: string | null;
    requestHash: Buffer | null;
    isAnnounced: Generated<boolean>;
  };
  orderReturnItems: {
    returnId: string;
    position: number;
    qty: number;
    restockedQty: Generated<number>;
    spoiledQty: Generated<number>;
  };
  orderReturns: {
    id: string;
    orderId: string;
    askedAt: Generated<string>;
    reason: string;
    note: Generated<string>;
    actor: string;
    status: string;
    decidedAt: string | null;
    answer: Generated<string>;
    sendBy: string | null;
    receivedAt: string | null;
  };
  orders: {
    id: string;
    userId: string | null;
    userName: string;
    userEmail: string;
    status: Generated<string>;
    fullName: Generated<string>;
    email: Generated<string>;
    phone: Generated<string>;
    line1: Generated<string>;
    line2: Generated<string>;
    city: Generated<string>;
    state: Generated<string>;
    postalCode: Generated<string>;
    country: Generated<string>;
    subTotalPrice: number;
    shippingPrice: number;
    taxPrice: number;
    totalPrice: number;
    shippingMethod: Generated<string>;
    paymentMethod: string;
    orderPaymentId: string | null;
    providerSessionId: string | null;
    providerPaymentId: string | null;
    paidAt: string | null;
    deliveredAt: string | null;
    idempotencyKey: string | null;
    payloadHash: Buffer | null;
    createdAt: Generated<string>;
    holdExpiresAt: string | null;
    cancelMarkHash: Buffer | null;
    paymentUrl: string | null;
    reference: Generated<string>;
    deliveryFrom: string | null;
    deliveryTo: string | null;
    dispatchedAt: string | null;
    waivedPrice: Generated<number>;
    refundedPrice: Generated<number>;
    returnStage: string | null;
    awaitsApproval: Generated<boolean>;
    disputedPrice: Generated<number>;
    orderState: Generated<string>;
  };
  parcelItems: {
    parcelId: string;
    position: number;
    qty: number;
  };
  parcels: {
    id: string;
    orderId: string;
    sentAt: Generated<string>;
    actor: string;
    carrier: Generated<string>;
    trackingNumber: Generated<string>;
    trackingLink: Generated<string>;
    expectedOn: string | null;
    status: Generated<string>;
    toldAt: string | null;
    batchId: string | null;
  };
  reviewRequests: {
    orderId: string;
    tokenHash: Buffer;
    askedAt: Generated<string>;
  };
}
