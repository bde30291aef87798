import type { Order } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import { isOpenReturn } from '#contract/returns/return-reasons.ts';
import { type AgreedReturn, comingBack, type Judgement, type ReturnWish } from '#contract/returns/returns.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type Customer, customerTransactionOf, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { returnAskedMail, returnDecisionMail, returnWithdrawnMail } from '#server/mail/return-mails.ts';
import { listCarriedByTwo } from '#server/orders/lines/carried-by-two.service.ts';
import { mergePieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { listReturns } from '#server/orders/lines/returns.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { daysAfter, isWithinWindow, lastDayToAsk } from '#server/orders/rules/return-window.ts';
import { isAllowed, refusalOf } from '#server/orders/rules/states.ts';
import { CUSTOMER, change, changeByStaff, type LockedOrder, lockListed, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** The state of a delivered order, by its returns. */
async function statusAfter(tx: Tx, orderId: string): Promise<OrderStatus> {
  const returns = await listReturns(tx, orderId);
  if (returns.some(({ status }) => status === 'asked')) return 'return_asked';
  if (returns.some(({ status }) => status === 'approved')) return 'return_approved';
  return (await readPieces(tx, orderId)).every(({ left }) => left === 0) ? 'returned' : 'delivered';
}

/** Takes an order through a step of its returns, after their rows have changed. */
export async function changeReturns(
  tx: Tx,
  order: LockedOrder,
  name: 'askForReturn' | 'agreeToReturn' | 'judgeReturn' | 'withdrawReturn' | 'receiveReturn',
  event: Parameters<typeof change>[4],
  columns: { waivedPrice?: number } = {},
): Promise<LockedOrder> {
  return change(tx, order, name, columns, event, await statusAfter(tx, order.id));
}

/** Stores a return of pieces that the customer has and that are in no other return. Throws 409 for any other. */
async function insertReturn(
  tx: Tx,
  config: Config,
  order: LockedOrder,
  { lines, reason, ...words }: Omit<ReturnWish, 'note'> & ({ note: string } | { answer: string }),
  { actor, isApproved }: { actor: string; isApproved: boolean },
) {
  // Before the checks of single pieces: the order's state is the better reason.
  if (!isAllowed('askForReturn', order.status)) throw new Problem(409, refusalOf('askForReturn', order));
  const pieces = await checkPieces(tx, order, mergePieces(lines), isApproved);
  if (!isApproved) await checkWithdrawals(tx, order.id);
  const [id, now] = [newId(), new Date().toISOString()];
  const decided = isApproved ? { decidedAt: now, sendBy: await lastDayToSend(tx, config, order.id, lines, now) } : {};
  const values = { id, orderId: order.id, reason, ...words, actor, status: isApproved ? 'approved' : 'asked', ...decided };
  await tx.insertInto('orderReturns').values(values).execute();
  await tx
    .insertInto('orderReturnItems')
    .values(pieces.map(({ position, qty }) => ({ returnId: id, position, qty })))
    .execute();
  return { id, text: piecesText(pieces) };
}

/** The last day for posting pieces; null if the shop collects them: every return if its settings say so, else one with a large piece (`listCarriedByTwo`). */
async function lastDayToSend(
  tx: Tx,
  { company }: Config,
  orderId: string,
  pieces: readonly { line: number }[],
  agreedAt: string,
): Promise<string | null> {
  if (company.collectsReturns) return null;
  const large = await listCarriedByTwo(tx, orderId);
  return pieces.some(({ line }) => large.includes(line)) ? null : daysAfter(agreedAt, RETURN_DAYS.send);
}

/** Limit of withdrawn returns of one order: each adds to its history. */
const MOST_WITHDRAWN = 20;

async function checkWithdrawals(tx: Tx, orderId: string): Promise<void> {
  const returns = await listReturns(tx, orderId);
  if (returns.filter(({ status }) => status === 'withdrawn').length >= MOST_WITHDRAWN)
    throw new Problem(409, 'You have cancelled several returns of this order. Please contact us about another one.');
}

/** A customer has one open return of a line at a time; staff may agree to more of its pieces. */
async function checkPieces(tx: Tx, order: LockedOrder, wanted: LinePieces[], isStaff: boolean) {
  const items = await readPieces(tx, order.id);
  const returns = await listReturns(tx, order.id);
  return wanted.map(({ line, qty }) => {
    const item = items.find(({ position }) => position === line);
    if (!item) throw new Problem(400, 'Choose lines of the order.', { lines: 'Choose lines of the order.' });
    const coming = comingBack(returns, line);
    const left = isStaff || coming === 0 ? item.left - coming : 0;
    if (qty > left)
      throw new Problem(
        409,
        left > 0 ? `Only ${left} of ${item.name} can still be returned.` : `${item.name} is already in a return, or has come back.`,
      );
    return { ...item, qty };
  });
}

/**
 * Requests a return for the customer, and mails them a confirmation. Throws 404 for anyone else's order, and 409 after the return period, for an
 * order that was not delivered, and for pieces that cannot be returned.
 */
export async function askForReturn({ db, config }: Needs, who: Customer, id: string, wish: ReturnWish): Promise<Order> {
  await customerTransactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (order.userId !== who._id) throw new Problem(404, 'Order not found');
    if (order.deliveredAt && !isWithinWindow(order.deliveredAt, new Date().toISOString()))
      throw new Problem(
        409,
        `You could request a return until ${lastDayToAsk(order.deliveredAt)}. If a piece is faulty, you have further rights: please contact us.`,
      );
    const { text } = await insertReturn(tx, config, order, wish, { actor: CUSTOMER, isApproved: false });
    await changeReturns(tx, order, 'askForReturn', { actor: CUSTOMER, detail: `${text}. ${wish.reason}` });
    await tellStaff(tx, { config }, { event: 'return', text: `A return of order ${order.reference} was requested`, path: orderPath(id) });
    await tellCustomer(tx, id, (mailOrder) => returnAskedMail(config, mailOrder, text));
  });
  return readOrder(db, who, id);
}

/** Approves a return that was requested in another way, such as of a faulty piece after the return period. Throws 404, 400 and 409. */
export function agreeToReturn(services: Needs, who: Admin, id: string, { revision, ...wish }: AgreedReturn): Promise<Order> {
  return changeByStaff(services.db, who, id, revision, async (tx, order) => {
    const { id: returnId, text } = await insertReturn(tx, services.config, order, wish, { actor: who.name, isApproved: true });
    const detail = [text, wish.reason, wish.answer].filter(Boolean).join('. ');
    await changeReturns(tx, order, 'agreeToReturn', { actor: who.name, detail });
    await recordChange(tx, who, 'order', id, `Approved the return of ${text}`);
    await tellDecision(tx, services, id, returnId);
  });
}

/** A return with its order locked, and its pieces in words. Throws 404. */
export async function lockReturn(tx: Tx, id: string) {
  const found = await tx.selectFrom('orderReturns').select('orderId').where('id', '=', id).executeTakeFirst();
  if (!found) throw new Problem(404, 'Return not found');
  const order = await lockListed(tx, found.orderId);
  const orderReturn = (await listReturns(tx, order.id)).find(({ _id }) => _id === id);
  if (!orderReturn) throw new Problem(404, 'Return not found');
  const items = await readPieces(tx, order.id);
  const text = piecesText(
    orderReturn.pieces.flatMap(({ line, qty }) => items.filter(({ position }) => position === line).map((item) => ({ ...item, qty }))),
  );
  return { order, orderReturn, items, text };
}

async function tellDecision(tx: Tx, { config }: Pick<Needs, 'config'>, orderId: string, returnId: string): Promise<void> {
  const orderReturn = (await listReturns(tx, orderId)).find(({ _id }) => _id === returnId);
  if (orderReturn) await tellCustomer(tx, orderId, (mailOrder) => returnDecisionMail(config, mailOrder, orderReturn));
}

/** Approves or refuses a return, with a note for the customer. An approved one can still be refused. Throws 404, and 409 for any other decided return. */
export async function judgeReturn(services: Needs, who: Admin, id: string, { isApproved, answer }: Judgement): Promise<Order> {
  const { db } = services;
  const orderId = await transactionOf(db, who, async (tx) => {
    const { order, orderReturn, text } = await lockReturn(tx, id);
    if (!isOpenReturn(orderReturn.status) || (isApproved && orderReturn.status === 'approved'))
      throw new Problem(409, 'This return has already been answered.');
    const now = new Date().toISOString();
    const decided = {
      status: isApproved ? 'approved' : 'refused',
      answer,
      decidedAt: now,
      sendBy: isApproved ? await lastDayToSend(tx, services.config, order.id, orderReturn.pieces, now) : null,
    };
    await tx.updateTable('orderReturns').set(decided).where('id', '=', id).execute();
    const kind = isApproved ? 'return agreed' : 'return refused';
    await changeReturns(tx, order, 'judgeReturn', { kind, actor: who.name, detail: [text, answer].filter(Boolean).join('. ') });
    await recordChange(tx, who, 'order', order.id, `${isApproved ? 'Approved' : 'Refused'} the return of ${text}`);
    await tellDecision(tx, services, order.id, id);
    return order.id;
  });
  return readOrder(db, who, orderId);
}

/** Withdraws the customer's own return. Throws 404 for anyone else's, and 409 once it has arrived or was refused. */
export async function withdrawReturn({ db, config }: Needs, who: Customer, id: string): Promise<Order> {
  const orderId = await customerTransactionOf(db, who, async (tx) => {
    const { order, orderReturn, text } = await lockReturn(tx, id);
    if (order.userId !== who._id) throw new Problem(404, 'Return not found');
    if (!isOpenReturn(orderReturn.status)) throw new Problem(409, 'This return can no longer be cancelled.');
    await tx.updateTable('orderReturns').set({ status: 'withdrawn', sendBy: null }).where('id', '=', id).execute();
    await changeReturns(tx, order, 'withdrawReturn', { actor: CUSTOMER, detail: text });
    await tellCustomer(tx, order.id, (mailOrder) => returnWithdrawnMail(config, mailOrder, text));
    return order.id;
  });
  return readOrder(db, who, orderId);
}
