import { useState } from 'react';
import type { DeliveryCheck } from '#contract/delivery/dispatch.schema.ts';
import { countText, ordersText } from '#web/admin/count-text.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Checkbox } from '#web/ui/form/field.tsx';
import { Link } from '#web/ui/link.tsx';
import { TagForm } from './tag-form.tsx';
import type { useSelection } from './use-selection.ts';

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>;
  /** Whether orders of this queue can be marked as delivered. */
  canDeliver: boolean;
  /** Whether orders of this queue wait for approval. */
  canApprove: boolean;
  /** The URL of the print page for these references, joined by commas; for the whole list if empty. */
  printHref: (kind: 'picking' | 'slips', references: string) => string;
}

/** What can be done with the selected orders of a list. */
export function SelectionBar({ selection, canDeliver, canApprove, printHref }: SelectionBarProps) {
  const { ids, references, isAll, toggleAll, deliveryCheck, checkDelivery, closeCheck, markDelivered, approve, addTag, pending, error } =
    selection;
  const [isTagging, setIsTagging] = useState(false);
  const forOrders = ids.length === 0 ? ' for all found' : ` for ${ordersText(ids.length)}`;
  const isDisabled = ids.length === 0 || pending !== '';
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Checkbox label="Select all on this page" checked={isAll} onChange={toggleAll} />
        <span className="text-soft">{ids.length} selected</span>
        {canDeliver && (
          <>
            <Button look="secondary" disabled={isDisabled} pending={pending === 'check'} onClick={checkDelivery}>
              Mark as delivered
            </Button>
            <Button
              look="quiet"
              className="-mx-3"
              disabled={isDisabled}
              pending={pending === 'not delivered'}
              onClick={() => markDelivered(false)}
            >
              Mark as not delivered
            </Button>
          </>
        )}
        {canApprove && (
          <Button look="secondary" disabled={isDisabled} pending={pending === 'approve'} onClick={approve}>
            Approve
          </Button>
        )}
        <Button look="quiet" className="-mx-3" disabled={isDisabled} pending={pending === 'tag'} onClick={() => setIsTagging(true)}>
          Add a tag
        </Button>
        <Link className="link" to={printHref('picking', references.join(','))}>
          Picking list{forOrders}
        </Link>
        <Link className="link" to={printHref('slips', references.join(','))}>
          Packing slips{forOrders}
        </Link>
      </div>
      <Dialog open={isTagging} onClose={() => setIsTagging(false)} label="Add a tag" bare>
        {isTagging && (
          <TagForm
            orders={ids.length}
            onClose={() => setIsTagging(false)}
            onTag={(tag) => {
              setIsTagging(false);
              addTag(tag);
            }}
          />
        )}
      </Dialog>
      <Dialog open={deliveryCheck !== undefined} onClose={closeCheck} label="Confirm deliveries" bare>
        {deliveryCheck && (
          <DeliveryQuestion
            check={deliveryCheck}
            error={error}
            isPending={pending === 'delivered'}
            onConfirm={() => markDelivered(true)}
            onClose={closeCheck}
          />
        )}
      </Dialog>
    </div>
  );
}

interface DeliveryQuestionProps {
  check: DeliveryCheck;
  error: string;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what marking as delivered will do, and asks for confirmation. */
function DeliveryQuestion({
  check: { orders, mails, undispatched, unapproved },
  error,
  isPending,
  onConfirm,
  onClose,
}: DeliveryQuestionProps) {
  const notes = [
    undispatched > 0 && `${ordersText(undispatched)} ${undispatched === 1 ? 'has' : 'have'} not been dispatched yet.`,
    unapproved > 0 && `${ordersText(unapproved)} to be approved ${unapproved === 1 ? 'is' : 'are'} approved by it.`,
  ].filter(Boolean);
  return (
    <div className="grid gap-4">
      <h2>Mark as delivered</h2>
      <p>
        {orders === 0
          ? 'All of these orders are marked as delivered already.'
          : `${ordersText(orders)} will be marked as delivered, and ${countText(mails, 'email')} sent to customers after ten minutes. Until then you can undo it.`}
      </p>
      {notes.map((note) => (
        <Alert key={String(note)} tone="note">
          {note}
        </Alert>
      ))}
      {error && <Alert>{error}</Alert>}
      <p className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Close
        </Button>
        <Button disabled={orders === 0} pending={isPending} onClick={onConfirm}>
          Mark {ordersText(orders)} as delivered
        </Button>
      </p>
    </div>
  );
}
