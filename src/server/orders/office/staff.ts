import { pounds } from '#contract/market/money.ts';
import type { Services } from '#server/context/services.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';

interface Placed {
  _id: string;
  reference: string;
  totalPrice: number;
  paymentMethod: string;
  awaitsApproval: boolean;
}

/** Notifies staff of a new order, and again if it waits for approval. */
export async function tellOfOrder(tx: Tx, services: Pick<Services, 'config'>, order: Placed): Promise<void> {
  const sum = pounds(order.totalPrice);
  const path = orderPath(order._id);
  await tellStaff(tx, services, { event: 'order', text: `New order ${order.reference}: ${sum}, ${order.paymentMethod}`, path });
  if (order.awaitsApproval)
    await tellStaff(tx, services, { event: 'approval', text: `Order ${order.reference} of ${sum} waits for your approval`, path });
}
