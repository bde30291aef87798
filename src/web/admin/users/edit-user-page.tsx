import { type FormEvent, useContext, useState } from 'react';
import { Link, useParams } from 'react-router';
import { isProblem, messageOf } from '#contract/base/problem.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { type EditedUser, editUser, readUser, type UserDetail } from '#contract/users.ts';
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
  /** Somebody else changed the user since this form was filled. */
  isStale: boolean;
  done: boolean;
}
const idle: State = { pending: false, error: '', errors: {}, isStale: false, done: false };
const fieldsOf = ({ name, email, isAdmin, updatedAt }: EditedUser) => ({ name, email, isAdmin, updatedAt });

interface EditUserFormProps {
  user: UserDetail;
  onSaved: () => void;
  /** Fills the form anew. */
  onReload: () => void;
}

function EditUserForm({ user, onSaved, onReload }: EditUserFormProps) {
  const dispatch = useAppDispatch();
  const userInfo = useAppSelector(selectUserInfo);
  const { shopPrice } = useContext(MarketContext);
  const [fields, setFields] = useState(fieldsOf(user));
  const [state, setState] = useState(idle);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState({ ...idle, pending: true });
    try {
      const saved = await dispatch(request(editUser, { params: { id: user._id }, body: fields }));
      const { name, email, isAdmin } = saved;
      // Whoever edits the own account carries the new values at once; without the role the back office is left.
      if (userInfo?._id === user._id) dispatch(userReset({ ...userInfo, name, email, isAdmin }));
      setFields(fieldsOf(saved));
      setState({ ...idle, done: true });
      if (isAdmin || userInfo?._id !== user._id) onSaved();
    } catch (error) {
      const { status = 0, errors } = isProblem(error) ? error : {};
      setState({ ...idle, error: messageOf(error), errors: errors ?? {}, isStale: status === 409 && !errors });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid max-w-form gap-5">
      {state.error && <Alert>{state.error}</Alert>}
      {state.isStale && (
        <Button look="secondary" onClick={onReload}>
          Load the current values
        </Button>
      )}
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
  const [filled, setFilled] = useState(0);
  const fillAgain = async () => {
    await reload();
    setFilled((times) => times + 1);
  };
  return (
    <AdminFrame title="Edit user" back="/admin/userlist">
      {error && <Alert>{error}</Alert>}
      {!user && !error && <Skeleton label="Loading the user" />}
      {user && <EditUserForm key={`${user._id} ${filled}`} user={user} onSaved={() => void reload()} onReload={() => void fillAgain()} />}
      {user && <Changes changes={user.changes} />}
    </AdminFrame>
  );
}
