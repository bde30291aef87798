import { useState } from 'react';
import type { BulkInput, BulkReport } from '#contract/catalogue/bulk.ts';
import type { OfficeCard } from '#contract/catalogue/catalogue.ts';
import { ROUNDINGS } from '#contract/catalogue/sale.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { countText } from '#web/admin/count-text.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Checkbox, Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { CategoryField } from './category-field.tsx';

/** The kinds of edit by their names on the screen, each with a function that makes the edit from the form's fields. */
const EDITS = {
  'Prices, by per cent': ({ percent, rounding }) => ({
    kind: 'price',
    percent: Number(percent),
    rounding: rounding as (typeof ROUNDINGS)[number],
  }),
  Category: ({ category }) => ({ kind: 'category', category }),
  'Mark as new arrivals': () => ({ kind: 'isNewArrival', isOn: true }),
  'No longer new arrivals': () => ({ kind: 'isNewArrival', isOn: false }),
  Recommend: () => ({ kind: 'isRecommend', isOn: true }),
  'No longer recommend': () => ({ kind: 'isRecommend', isOn: false }),
  'Show in the shop': () => ({ kind: 'state', state: 'live' }),
  'Hide from the shop': () => ({ kind: 'state', state: 'hidden' }),
  Delete: () => ({ kind: 'delete' }),
} as const satisfies Record<string, (fields: typeof FIELDS) => BulkInput['edit']>;
const FIELDS = { what: 'Prices, by per cent', percent: '', rounding: 'exact', category: '' };

const productsText = (count: number) => countText(count, 'product');

/** The products to edit: those chosen, or all that the filters find. */
type Selection = Pick<BulkInput, 'filters' | 'products'>;

interface PreviewProps {
  report: BulkReport;
  isDeletion: boolean;
  pending: boolean;
  onConfirm: () => void;
}

/** Shows what the edit will change, with the button that carries it out. */
function Preview({ report, isDeletion, pending, onConfirm }: PreviewProps) {
  const { total, changed, examples } = report;
  return (
    <section aria-labelledby="bulk-preview" className="grid gap-3">
      <div role="status">
        <h3 id="bulk-preview">
          {changed === 0 ? `None of the ${productsText(total)} would change.` : `${changed} of ${productsText(total)} will change`}
        </h3>
      </div>
      {changed > 0 && (
        <>
          <ul className="max-h-56 list-disc overflow-y-auto pl-5" aria-label="The first changes">
            {examples.map(({ _id, name, change }) => (
              <li key={_id}>
                {name}: {change}
              </li>
            ))}
          </ul>
          <p className="hint">You can undo this for ten minutes. The history of each product keeps its old values.</p>
          <Button look={isDeletion ? 'danger' : 'primary'} className="justify-self-end" pending={pending} onClick={onConfirm}>
            {isDeletion ? 'Delete' : 'Change'} {productsText(changed)}
          </Button>
        </>
      )}
    </section>
  );
}

interface BulkFormProps {
  selection: Selection;
  title: string;
  onDone: (message: string) => void;
  onClose: () => void;
}

function BulkForm({ selection, title, onDone, onClose }: BulkFormProps) {
  const dispatch = useAppDispatch();
  const action = useAction();
  const [planned, setPlanned] = useState<{ body: Omit<BulkInput, 'expected'>; report: BulkReport }>();
  const { fields, change } = useFields(FIELDS);
  const form = useForm({
    fields,
    change: (changes: Partial<typeof FIELDS>) => {
      setPlanned(undefined);
      change(changes);
    },
    schema: async () => (await import('#contract/catalogue/bulk.schema.ts')).BulkBody,
    body: (typed): Omit<BulkInput, 'expected'> => ({ ...selection, edit: EDITS[typed.what as keyof typeof EDITS](typed) }),
    names: { 'edit.percent': 'percent', 'edit.rounding': 'rounding', 'edit.category': 'category' },
    send: async (body) => {
      action.reset();
      setPlanned({ body, report: await dispatch(request('POST /api/office/bulk-edits', { body })) });
    },
  });
  const carryOut = ({ body, report }: NonNullable<typeof planned>) =>
    action.run('change', async () => {
      const { changed } = await dispatch(request('POST /api/office/bulk-edits', { body: { ...body, expected: report.changed } }));
      onDone(`${productsText(changed)} changed.`);
    });
  return (
    <div className="grid gap-4">
      <h2>{title}</h2>
      <Form form={form} className="grid gap-4">
        <Select label="What to change" required options={Object.keys(EDITS)} {...form.bind('what')} />
        {fields.what === 'Prices, by per cent' && (
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field
              label="Change in per cent"
              required
              inputMode="text"
              hint="5 raises prices by 5%, -10 lowers them by 10%. Size prices change too."
              {...form.bind('percent')}
            />
            <Select label="Round down to" required options={ROUNDINGS} {...form.bind('rounding')} />
          </div>
        )}
        {fields.what === 'Category' && <CategoryField label="Category" required maxLength={60} {...form.bind('category')} />}
        <p className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" look={planned ? 'secondary' : 'primary'} pending={form.pending}>
            Show what changes
          </Button>
        </p>
      </Form>
      {action.error && <Alert>{action.error}</Alert>}
      {planned && (
        <Preview
          report={planned.report}
          isDeletion={fields.what === 'Delete'}
          pending={action.pending !== ''}
          onConfirm={() => carryOut(planned)}
        />
      )}
    </div>
  );
}

/** The products chosen in a list; they stay chosen on other pages and with other filters. */
export function useProductSelection(onPage: readonly OfficeCard[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = onPage.map(({ _id }) => _id);
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id));
  const others = [...chosen].filter((id) => !ids.includes(id));
  return {
    chosen,
    isAll,
    toggle: (id: string) => setChosen(new Set(chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id])),
    togglePage: () => setChosen(new Set(isAll ? others : [...others, ...ids])),
    clear: () => setChosen(new Set()),
  };
}

interface BulkBarProps {
  selection: ReturnType<typeof useProductSelection>;
  /** The list's filters, and how many products it finds. */
  filters: Selection['filters'];
  total: number;
  /** Reloads the list. */
  onChange: () => Promise<unknown>;
}

/** Edits the chosen products, or all that the list finds. Each edit can be undone for ten minutes, also after a reload. */
export function BulkBar({ selection, filters, total, onChange }: BulkBarProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [version, setVersion] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const { value } = useLoaded('GET /api/office/bulk-edits', {}, version);
  const { chosen, isAll, togglePage, clear } = selection;
  const reload = async (message: string) => {
    await onChange();
    setVersion((before) => before + 1);
    return message;
  };
  const finish = (message: string) => {
    setIsOpen(false);
    clear();
    run('done', () => reload(message));
  };
  const undo = (id: string) =>
    run(id, async () => {
      const { message } = await dispatch(request('POST /api/office/bulk-edits/:id/undo', { params: { id } }));
      return reload(message);
    });
  const title = chosen.size > 0 ? `Change ${chosen.size} selected` : `Change all ${total} found`;
  return (
    <div className="grid gap-3">
      {total > 0 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <Checkbox label="Select all on this page" checked={isAll} onChange={togglePage} />
          <span className="text-soft" role="status">
            {chosen.size} selected
          </span>
          <Button look="secondary" onClick={() => setIsOpen(true)}>
            {title}
          </Button>
          {chosen.size > 0 && (
            <Button look="quiet" className="-mx-3" onClick={clear}>
              Clear selection
            </Button>
          )}
        </div>
      )}
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      {value?.edits.map(({ _id, actor, change, products, undoUntil }) => (
        <Alert key={_id} tone="note">
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {change}: {productsText(products)}, by {actor}. You can undo this until {shopTime(undoUntil).slice(11)}.
            <Button look="secondary" pending={pending === _id} aria-label={`Undo “${change}”`} onClick={() => undo(_id)}>
              Undo
            </Button>
          </span>
        </Alert>
      ))}
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} label={title} bare>
        {isOpen && (
          <BulkForm selection={{ filters, products: [...chosen] }} title={title} onDone={finish} onClose={() => setIsOpen(false)} />
        )}
      </Dialog>
    </div>
  );
}
