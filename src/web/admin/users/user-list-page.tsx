import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '#contract/base/problem.ts';
import { deleteUser, listUsers, type User } from '#contract/users.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { useCall, useLoaded } from '#web/admin/use-call.ts';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';

const ROLES = [
  ['', 'Everyone'],
  ['admin', 'Administrators'],
  ['customer', 'Customers'],
] as const;
const SORTS = [
  ['', 'Newest first'],
  ['name', 'Name'],
  ['email', 'Email'],
] as const;

const columns = (onDelete: (user: User) => void) => [
  { label: 'ID', cell: ({ _id }: User) => _id },
  { label: 'Name', cell: ({ name }: User) => name },
  { label: 'Email', cell: ({ email }: User) => email },
  { label: 'Admin', cell: ({ isAdmin }: User) => (isAdmin ? 'Yes' : 'No') },
  {
    label: 'Edit/Delete',
    cell: (user: User) => (
      <span className="flex flex-wrap gap-4">
        <Link to={`/admin/editUser/${user._id}`} className="link" aria-label={`Edit ${user.name}`}>
          Edit
        </Link>
        <button type="button" className="link text-bad" aria-label={`Delete ${user.name}`} onClick={() => onDelete(user)}>
          Delete
        </button>
      </span>
    ),
  },
];

/** All users (specification §2). */
export function Component() {
  const { search, page, hrefOf, change } = useListUrl();
  const query = {
    pageNumber: page,
    search: search.get('search') ?? '',
    role: search.get('role') ?? '',
    sortBy: search.get('sortBy') ?? '',
  };
  const { value: list, error, reload } = useLoaded(listUsers, { query });
  const call = useCall();
  const [doomed, setDoomed] = useState<User>();
  const [state, setState] = useState({ pending: false, error: '', done: '' });
  useLastPage(page, list, hrefOf);
  const confirm = async () => {
    if (!doomed) return;
    setState({ pending: true, error: '', done: '' });
    try {
      await call(deleteUser, { params: { id: doomed._id } });
      await reload();
      setState({ pending: false, error: '', done: `${doomed.name} was deleted.` });
    } catch (failure) {
      setState({ pending: false, error: messageOf(failure), done: '' });
    }
    setDoomed(undefined);
  };
  return (
    <AdminFrame title="Users">
      <ListTools label="Find by id, e-mail or name" search={query.search} onSearch={(text) => change({ search: text })}>
        <Choice label="Role" value={query.role} options={ROLES} onChange={(role) => change({ role })} />
        <Choice label="Sort" value={query.sortBy} options={SORTS} onChange={(sortBy) => change({ sortBy })} />
      </ListTools>
      {(error || state.error) && <Alert>{error || state.error}</Alert>}
      {state.done && <Alert tone="good">{state.done}</Alert>}
      {!list && !error && <Skeleton label="Loading the users" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{list.total === 1 ? '1 user' : `${list.total} users`}</p>
          {list.total === 0 && <NothingFound />}
          {list.total > 0 && <Table caption="Users" columns={columns(setDoomed)} rows={list.users} keyOf={({ _id }) => _id} />}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
      <ConfirmDialog
        open={doomed !== undefined}
        question="Are you sure you want to delete this user?"
        name={doomed ? `${doomed.name}, ${doomed.email}. Their orders stay.` : ''}
        action="Delete"
        pending={state.pending}
        onConfirm={() => void confirm()}
        onCancel={() => setDoomed(undefined)}
      />
    </AdminFrame>
  );
}
