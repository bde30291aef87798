import { type FormEvent, useContext, useState } from 'react';
import { Link, useParams } from 'react-router';
import { isProblem, messageOf } from '#contract/base/problem.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { editUser, readUser, type UserDetail } from '#contract/users.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Changes } from '#web/admin/changes.tsx';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { selectUserInfo, userReset } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field } from '#web/ui/form/field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface State {
  pending: boolean;
  error: string;
  errors: Record<string, string>;
  done: boolean;
}
const idle: State = { pending: false, error: '', errors: {}, done: false };

function EditUserForm({ user, onSaved }: { user: UserDetail; onSaved: () => void }) {
  const dispatch = useAppDispatch();
  const userInfo = useAppSelector(selectUserInfo);
  const { shopPrice } = useContext(MarketContext);
  const [fields, setFields] = useState({ name: user.name, email: user.email, isAdmin: user.isAdmin });
  const [state, setState] = useState(idle);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ ...idle, pending: true });
    try {
      const { name, email, isAdmin } = await dispatch(request(editUser, { params: { id: user._id }, body: fields }));
      // Whoever edits the own account carries the new values at once; without the role the back office is left.
      if (userInfo?._id === user._id) dispatch(userReset({ ...userInfo, name, email, isAdmin }));
      setState({ ...idle, done: true });
      if (isAdmin || userInfo?._id !== user._id) onSaved();
    } catch (error) {
      setState({ ...idle, error: messageOf(error), errors: (isProblem(error) && error.errors) || {} });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid max-w-form gap-5">
      {state.error && <Alert>{state.error}</Alert>}
      {state.done && <Alert tone="good">Update Success</Alert>}
      <Field
        label="Name"
        required
        maxLength={100}
        value={fields.name}
        error={state.errors.name}
        onChange={({ target }) => setFields({ ...fields, name: target.value })}
      />
      <Field
        label="Email"
        type="email"
        required
        value={fields.email}
        error={state.errors.email}
        onChange={({ target }) => setFields({ ...fields, email: target.value })}
      />
      <Checkbox
        label="Assign admin role to this user"
        checked={fields.isAdmin}
        onChange={({ target }) => setFields({ ...fields, isAdmin: target.checked })}
      />
      <Button type="submit" pending={state.pending}>
        Update
      </Button>
      <p className="text-soft">
        <Link to={`/admin/orderlist?search=${user._id}`} className="link">
          {user.orderCount === 1 ? '1 order' : `${user.orderCount} orders`}
        </Link>
        , {shopPrice(user.spent)} in all. Registered on {shopDay(user.createdAt)}.
      </p>
    </form>
  );
}

/** Edit a user (specification §2). */
export function Component() {
  const { id = '' } = useParams();
  const { value: user, error, reload } = useLoaded(readUser, { params: { id } });
  return (
    <AdminFrame title="Edit user" back="/admin/userlist">
      {error && <Alert>{error}</Alert>}
      {!user && !error && <Skeleton label="Loading the user" />}
      {user && <EditUserForm key={user._id} user={user} onSaved={() => void reload()} />}
      {user && <Changes changes={user.changes} />}
    </AdminFrame>
  );
}
