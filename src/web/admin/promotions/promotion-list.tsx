import { useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { pageNumberOf } from '#contract/platform/lists.ts';
import { PROMOTION_STATES, type Promotion } from '#contract/promotions/promotions.ts';
import { reductionText, scopeText } from '#contract/promotions/texts.ts';
import { Changes } from '#web/admin/changes.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { PromotionForm } from './promotion-form.tsx';

interface Actions {
  onEdit: (promotion: Promotion) => void;
  onSwitch: (promotion: Promotion) => void;
  onDelete: (promotion: Promotion) => void;
}

const columns = ({ onEdit, onSwitch, onDelete }: Actions) => [
  {
    label: 'Promotion',
    cell: ({ name, code }: Promotion) => (
      <>
        {name}
        <span className="hint block break-all">{code ?? 'Automatic'}</span>
      </>
    ),
  },
  // The limit of uses is in the column “Used”.
  {
    label: 'What it does',
    cell: (promotion: Promotion) => (
      <>
        {reductionText(promotion)}
        <span className="hint block">{scopeText({ ...promotion, mostUses: null }) || 'Everything'}</span>
      </>
    ),
  },
  {
    label: 'When',
    cell: ({ state, startsAt, endsAt }: Promotion) => (
      <>
        {PROMOTION_STATES[state]}
        {startsAt && <span className="hint block">from {shopTime(startsAt)}</span>}
        {endsAt && <span className="hint block">until {shopTime(endsAt)}</span>}
      </>
    ),
  },
  {
    label: 'Used',
    cell: ({ uses, mostUses, given }: Promotion) => (
      <>
        {mostUses === null ? uses : `${uses} of ${mostUses}`}
        {given > 0 && <span className="hint block">{pounds(given)} in total</span>}
      </>
    ),
  },
  {
    label: 'Change',
    cell: (promotion: Promotion) => (
      <span className="flex flex-wrap gap-x-4">
        <button type="button" className="link min-h-6" aria-label={`Edit ${promotion.name}`} onClick={() => onEdit(promotion)}>
          Edit
        </button>
        <button
          type="button"
          className="link min-h-6"
          aria-label={`Switch ${promotion.isOn ? 'off' : 'on'} ${promotion.name}`}
          onClick={() => onSwitch(promotion)}
        >
          {promotion.isOn ? 'Switch off' : 'Switch on'}
        </button>
        {promotion.isUnused && (
          <button
            type="button"
            className="link min-h-6 text-bad"
            aria-label={`Delete ${promotion.name}`}
            onClick={() => onDelete(promotion)}
          >
            Delete
          </button>
        )}
      </span>
    ),
  },
];

function totalText(total: number): string {
  if (total === 0) return 'No promotions yet. They will be listed here, with how often each was used.';
  return total === 1 ? '1 promotion' : `${total} promotions`;
}

/** Who changed a promotion, and when. */
function History({ id }: { id: string }) {
  const { value } = useLoaded('GET /api/office/promotions/:id/changes', { params: { id } });
  return value ? <Changes changes={value.changes} /> : null;
}

/** Discount codes and automatic promotions: list and form. */
export function PromotionList() {
  const dispatch = useAppDispatch();
  const { search, hrefWith } = useListUrl();
  const page = pageNumberOf(search.get('codesPage'));
  const hrefOf = (to: number) => hrefWith({ codesPage: to === 1 ? '' : String(to) });
  const [version, setVersion] = useState(0);
  const { value: list, error } = useLoaded('GET /api/office/promotions', { query: { pageNumber: page } }, version);
  const [openForm, setOpenForm] = useState<{ promotion: Promotion | undefined }>();
  const [toDelete, setToDelete] = useState<Promotion>();
  const action = useAction();
  useLastPage(page, list, hrefOf);
  const reload = () => setVersion((before) => before + 1);
  const runAndReload = (promotion: Promotion, work: () => Promise<string>) =>
    action.run(promotion._id, async () => {
      const message = await work();
      reload();
      return message;
    });
  const actions: Actions = {
    onEdit: (promotion) => {
      action.reset();
      setOpenForm({ promotion });
    },
    onSwitch: (promotion) =>
      runAndReload(promotion, async () => {
        const { _id: id, name, isOn } = promotion;
        await dispatch(request('PUT /api/office/promotions/:id/on', { params: { id }, body: { isOn: !isOn } }));
        return `${name} is switched ${isOn ? 'off' : 'on'}.`;
      }),
    onDelete: setToDelete,
  };
  const remove = (promotion: Promotion) =>
    runAndReload(promotion, async () => {
      setToDelete(undefined);
      await dispatch(request('DELETE /api/office/promotions/:id', { params: { id: promotion._id } }));
      return `${promotion.name} was deleted.`;
    });
  const onSaved = ({ name }: Promotion) =>
    action.run('saved', async () => {
      setOpenForm(undefined);
      reload();
      return `${name} is saved.`;
    });
  return (
    <section aria-labelledby="codes" className="grid gap-4">
      <h2 id="codes">Codes and automatic promotions</h2>
      {error && <Alert>{error}</Alert>}
      {action.error && <Alert>{action.error}</Alert>}
      {action.done && <Alert tone="good">{action.done}</Alert>}
      {openForm ? (
        <section aria-labelledby="promotion-form" className="panel grid gap-5">
          <h2 id="promotion-form">{openForm.promotion ? `Edit ${openForm.promotion.name}` : 'New code or promotion'}</h2>
          <PromotionForm
            key={openForm.promotion?._id ?? 'new'}
            promotion={openForm.promotion}
            onSaved={onSaved}
            onClose={() => setOpenForm(undefined)}
          />
          {openForm.promotion && <History id={openForm.promotion._id} />}
        </section>
      ) : (
        <Button look="secondary" className="justify-self-start" onClick={() => setOpenForm({ promotion: undefined })}>
          New code or promotion
        </Button>
      )}
      <p className="hint">
        The best automatic promotion applies. One code can be used on top of it, on the reduced price. Orders keep the discount that they
        were placed with.
      </p>
      <ConfirmDialog
        open={toDelete !== undefined}
        question="Are you sure you want to delete this promotion?"
        name={toDelete?.name ?? ''}
        action="Delete"
        pending={action.pending !== ''}
        onConfirm={() => toDelete && remove(toDelete)}
        onCancel={() => setToDelete(undefined)}
      />
      {!list && !error && <Skeleton label="Loading the promotions" />}
      {list && (
        <>
          <p role="status">{totalText(list.total)}</p>
          {list.total > 0 && (
            <Table caption="Codes and automatic promotions" columns={columns(actions)} rows={list.promotions} keyOf={({ _id }) => _id} />
          )}
          {list.total > 0 && <Pagination page={page} pages={list.pages} href={hrefOf} label="Pages of promotions" />}
        </>
      )}
    </section>
  );
}
