import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { type StepName, stepOf } from '#contract/orders/steps.ts';
import { useMay } from '#web/admin/office/office-context.ts';
import { Parcels } from '#web/parts/order/parcels.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { SLIP_PARAMETER } from './slip.tsx';
import { carrierProblem, TransportFields, transportBody, transportTexts } from './transport-fields.tsx';

interface ParcelFormProps {
  parcel: Parcel;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Saves all of its fields as they are in the form, also if somebody has changed the parcel meanwhile. */
function ParcelForm({ parcel, onDone, onClose }: ParcelFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields(transportTexts(parcel)),
    schema: async () => (await import('#contract/delivery/parcels.schema.ts')).Transport,
    check: carrierProblem,
    body: transportBody,
    send: async (body) => onDone(await dispatch(request('PUT /api/office/parcels/:id', { params: { id: parcel._id }, body }))),
  });
  return (
    <Form form={form} className="mt-2 grid gap-4">
      <TransportFields bind={form.bind} chosen={form.fields.carrier} />
      <FormButtons pending={form.pending} onClose={onClose}>
        Save parcel
      </FormButtons>
    </Form>
  );
}

/** Takes steps of the order or of a parcel. A refusal is shown in the panel “Shipping Status”. */
export interface StepActions {
  /** The step that is being taken, such as `deliver`, or `failDelivery ID` for one of a parcel: another parcel has a button for the same step. */
  pending: string;
  take: (step: StepName, parcelId?: string) => void;
}

interface ParcelsPanelProps {
  order: Order;
  actions: StepActions;
  /** The id of the parcel whose form is open, or an empty text. Kept outside, since the page has one form open at a time: their fields share ids. */
  openParcel: string;
  onOpen: (parcelId: string) => void;
  onClose: () => void;
  onDone: (order: Order) => void;
}

/** The parcels of an order for administrators. Of several, each that is on its way has its own buttons; for a single one the order's are enough. */
export function ParcelsPanel({ order, actions, openParcel, onOpen, onClose, onDone }: ParcelsPanelProps) {
  const mayChange = useMay('change orders');
  if (order.parcels.length === 0) return null;
  const parcelSteps = order.parcels.length > 1 ? order.can.filter((step) => stepOf(step).parcelLabel) : [];
  return (
    <Panel title="Parcels" className="gap-4 print:hidden">
      <Parcels order={order}>
        {(parcel) =>
          openParcel === parcel._id ? (
            <ParcelForm parcel={parcel} onDone={onDone} onClose={onClose} />
          ) : (
            <p className="flex flex-wrap gap-x-6 gap-y-1">
              {parcel.status === 'sent' && (
                <ButtonLink look="quiet" className="px-0" to={`?${SLIP_PARAMETER}=${parcel._id}`}>
                  Packing slip
                </ButtonLink>
              )}
              {mayChange && (
                <Button look="quiet" className="px-0" onClick={() => onOpen(parcel._id)}>
                  Change tracking
                </Button>
              )}
              {parcel.status === 'sent' &&
                parcelSteps.map((step) => (
                  <Button
                    key={step}
                    look="quiet"
                    className="px-0"
                    pending={actions.pending === `${step} ${parcel._id}`}
                    onClick={() => actions.take(step, parcel._id)}
                  >
                    {stepOf(step).parcelLabel}
                  </Button>
                ))}
            </p>
          )
        }
      </Parcels>
    </Panel>
  );
}
