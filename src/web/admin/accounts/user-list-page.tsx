import type { ListedUser, User } from '#contract/accounts/users.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { TagChoice, TagList } from '#web/admin/office/tag-list.tsx';
import { ShortId } from '#web/admin/short-id.tsx';
import { useDeletion } from '#web/admin/use-deletion.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
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
  { label: 'ID', cell: ({ _id }: User) => <ShortId id={_id} /> },
  {
    label: 'Name',
    cell: ({ name, tags }: ListedUser) => (
      <span className="grid gap-1">
        {name}
        <TagList tags={tags} />
      </span>
    ),
  },
  { label: 'Email', cell: ({ email }: User) => email },
  { label: 'Admin', cell: ({ isAdmin }: User) => (isAdmin ? 'Yes' : 'No') },
  {
    label: 'Edit/Delete',
    cell: (user: User) => (
      <span className="flex gap-4 whitespace-nowrap">
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
    tag: search.get('tag') ?? '',
    sortBy: search.get('sortBy') ?? '',
  };
  const { value: list, error, reload } = useLoaded('GET /api/users', { query });
  const deletion = useDeletion<User>({
    endpoint: 'DELETE /api/users/:id',
    question: 'Are you sure you want to delete this user?',
    textOf: ({ name, email }) => `${name}, ${email}. Their orders stay.`,
    reload,
  });
  useLastPage(page, list, hrefOf);
  return (
    <AdminFrame title="Users" changes="change customers">
      <ListTools label="Find by id, email or name" search={query.search} onSearch={(text) => change({ search: text })}>
        <Choice label="Role" value={query.role} options={ROLES} onChange={(role) => change({ role })} />
        <TagChoice value={query.tag} onChange={(tag) => change({ tag })} />
        <Choice label="Sort" value={query.sortBy} options={SORTS} onChange={(sortBy) => change({ sortBy })} />
      </ListTools>
      {error && <Alert>{error}</Alert>}
      {deletion.message}
      {!list && !error && <Skeleton label="Loading the users" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{list.total === 1 ? '1 user' : `${list.total} users`}</p>
          {list.total === 0 && <NothingFound />}
          {list.total > 0 && <Table caption="Users" columns={columns(deletion.ask)} rows={list.users} keyOf={({ _id }) => _id} />}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
      {deletion.dialog}
    </AdminFrame>
  );
}
