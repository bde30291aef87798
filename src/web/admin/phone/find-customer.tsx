import type { User } from '#contract/accounts/users.ts';
import { FindWithin } from '#web/admin/orders/find-within.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import type { NewOrder } from './new-order.ts';

/** Finds a customer and fills in what their last order said. */
export function FindCustomer({ onFound }: { onFound: (filled: Partial<NewOrder>) => void }) {
  const dispatch = useAppDispatch();
  const fillIn = async ({ _id, name, email }: User) => {
    const { orders } = await dispatch(request('GET /api/orders', { query: { user: _id } }));
    const [last] = orders;
    const address = last && { ...last.shippingAddress, phone: last.phone };
    onFound({ email, fullName: last?.fullName || name, ...address });
  };
  return (
    <FindWithin
      label="Name or email of a customer"
      button="Find customer"
      find={async (search) => (await dispatch(request('GET /api/users', { query: { search } }))).users}
      labelOf={({ name, email }) => `${name}, ${email}`}
      nothing="We couldn’t find this customer. Enter their details: they get an account with the order."
      onChoose={fillIn}
    />
  );
}
