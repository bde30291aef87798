import { useState } from 'react';
import type { User } from '#contract/accounts/users.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import type { NewOrder } from './new-order.ts';

const MOST = 5;

/** Finds a customer and fills in what their last order said. It stands inside a form, so Enter searches here instead of sending the form. */
export function FindCustomer({ onFound }: { onFound: (filled: Partial<NewOrder>) => void }) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<User[]>();
  const find = () =>
    run('find', async () => {
      const { users } = await dispatch(request('GET /api/users', { query: { search } }));
      setFound(users.slice(0, MOST));
    });
  const choose = ({ _id, name, email }: User) =>
    run(_id, async () => {
      const { orders } = await dispatch(request('GET /api/orders', { query: { user: _id } }));
      const [last] = orders;
      const address = last && { ...last.shippingAddress, phone: last.phone };
      onFound({ email, fullName: last?.fullName || name, ...address });
      setSearch('');
      setFound(undefined);
    });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Name or email of a customer"
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            find();
          }}
        />
        <Button look="secondary" pending={pending === 'find'} onClick={find}>
          Find customer
        </Button>
      </div>
      {error && <Alert>{error}</Alert>}
      <ul className="grid justify-items-start gap-1" aria-live="polite">
        {found?.map((user) => (
          <li key={user._id}>
            <Button look="quiet" className="px-0 text-left wrap-anywhere" pending={pending === user._id} onClick={() => choose(user)}>
              {user.name}, {user.email}
            </Button>
          </li>
        ))}
        {found?.length === 0 && <li>We couldn’t find this customer. Type their details: they get an account with the order.</li>}
      </ul>
    </div>
  );
}
