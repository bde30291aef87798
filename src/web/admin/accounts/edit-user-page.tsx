import { useContext, useState } from 'react';
import { useParams } from 'react-router';
import { ROLE_INFO, STAFF_ROLES, type StaffRole } from '#contract/accounts/roles.ts';
import type { EditedUser, UserDetail } from '#contract/accounts/users.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Changes } from '#web/admin/changes.tsx';
import { StaffNotes } from '#web/admin/office/staff-notes.tsx';
import { StaffTags } from '#web/admin/office/staff-tags.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { failureOf, request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { selectUserInfo, userReset } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CustomerData } from './customer-data.tsx';

/** The role of new staff until another is chosen: it can change nothing. */
const NEW_STAFF_ROLE: StaffRole = 'read-only';

const fieldsOf = ({ name, email, isAdmin, staffRole, updatedAt }: EditedUser) => ({
  name,
  email,
  isAdmin,
  staffRole: isAdmin ? staffRole : NEW_STAFF_ROLE,
  updatedAt,
});

interface EditUserFormProps {
  user: UserDetail;
  onSaved: () => void;
  /** Fills the form again. */
  onReload: () => void;
}

/** The form's values, and sending them. If administrators edit their own account, the session shows the new values. */
function useUserForm(user: UserDetail, onSaved: () => void) {
  const dispatch = useAppDispatch();
  const userInfo = useAppSelector(selectUserInfo);
  const isOwnAccount = userInfo?._id === user._id;
  const { prove, proofDialog } = useProof();
  const values = useFields(fieldsOf(user));
  const [isStale, setIsStale] = useState(false);
  const form = useForm({
    ...values,
    schema: async () => (await import('#contract/accounts/users.schema.ts')).EditUserBody,
    async send(body) {
      setIsStale(false);
      try {
        const saved = await prove(() => dispatch(request('PUT /api/users/:id', { params: { id: user._id }, body })));
        const { name, email, isAdmin } = saved;
        values.change(fieldsOf(saved));
        if (isOwnAccount) dispatch(userReset({ ...userInfo, name, email, isAdmin }));
        // Administrators who gave up their own role cannot load the user again.
        if (isAdmin || !isOwnAccount) onSaved();
      } catch (error) {
        const { status, errors } = failureOf(error);
        setIsStale(status === 409 && !errors);
        throw error;
      }
    },
  });
  return { form, isStale, proofDialog };
}

function UserOrders({ user }: { user: UserDetail }) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <p className="text-soft">
      <Link to={`/admin/orderlist?search=${user._id}`} className="link">
        {user.orderCount === 1 ? '1 order' : `${user.orderCount} orders`}
      </Link>
      , {shopPrice(user.spent)} in all. Registered on {shopDate(user.createdAt)}.
    </p>
  );
}

interface RoleChoiceProps {
  role: StaffRole;
  error: string | undefined;
  onChange: (role: StaffRole) => void;
}

const labelOf = (role: StaffRole) => ROLE_INFO[role].label;

/** What an administrator may do; the owner's role stands last. */
function RoleChoice({ role, error, onChange }: RoleChoiceProps) {
  return (
    <Select
      id="staffRole"
      label="Role"
      required
      hint={ROLE_INFO[role].about}
      options={STAFF_ROLES.toReversed().map(labelOf)}
      value={labelOf(role)}
      error={error}
      onChange={({ target }) => onChange(STAFF_ROLES.find((one) => labelOf(one) === target.value) ?? role)}
    />
  );
}

function EditUserForm({ user, onSaved, onReload }: EditUserFormProps) {
  const { form, isStale, proofDialog } = useUserForm(user, onSaved);
  return (
    <>
      {proofDialog}
      <Form form={form} className="grid max-w-form gap-5">
        {isStale && (
          <Button look="secondary" onClick={onReload}>
            Load the current values
          </Button>
        )}
        {form.done && <Alert tone="good">Update Success</Alert>}
        <Field label="Name" required maxLength={100} {...form.bind('name')} />
        <Field label="Email" type="email" required {...form.bind('email')} />
        <Checkbox label="Assign admin role to this user" {...form.bindBox('isAdmin')} />
        {form.fields.isAdmin && !user.isAdmin && !user.isConfirmed && (
          <Alert tone="note">
            Nobody has confirmed this address, so somebody else may have registered it. First ask the person to choose a new password with
            “Forgot your password?”: that confirms it, and logs everybody else out.
          </Alert>
        )}
        {form.fields.isAdmin && (
          <RoleChoice role={form.fields.staffRole} error={form.errors.staffRole} onChange={(staffRole) => form.change({ staffRole })} />
        )}
        <Button type="submit" pending={form.pending}>
          Update
        </Button>
        <UserOrders user={user} />
      </Form>
    </>
  );
}

/** Edit a user (specification §2). */
export function Component() {
  const { id = '' } = useParams();
  const { value: user, error, reload } = useLoaded('GET /api/users/:id', { params: { id } });
  const [fillCount, setFillCount] = useState(0);
  const fillAgain = async () => {
    await reload();
    setFillCount((count) => count + 1);
  };
  return (
    <AdminFrame title="Edit user" changes="change customers" back="/admin/userlist">
      {error && <Alert>{error}</Alert>}
      {!user && !error && <Skeleton label="Loading the user" />}
      {user && (
        <EditUserForm key={`${user._id} ${fillCount}`} user={user} onSaved={() => void reload()} onReload={() => void fillAgain()} />
      )}
      {user && (
        <div className="mt-8 grid max-w-form gap-6">
          <StaffTags of="customer" id={user._id} />
          <StaffNotes of="customer" id={user._id} />
          {!user.isAdmin && <CustomerData user={user} />}
        </div>
      )}
      {user && <Changes changes={user.changes} />}
    </AdminFrame>
  );
}
