import { useState } from 'react';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';

const MAX_FOUND = 5;

interface FindWithinProps<Found extends { _id: string }> {
  label: string;
  button: string;
  find: (search: string) => Promise<readonly Found[]>;
  /** The label of the button that chooses it. */
  labelOf: (found: Found) => string;
  /** Shown if nothing is found. */
  nothing: string;
  onChoose: (found: Found) => unknown;
}

/** A search for one thing to add to a form. It is inside that form, so Enter searches here instead of sending the form. */
export function FindWithin<Found extends { _id: string }>({ label, button, find, labelOf, nothing, onChoose }: FindWithinProps<Found>) {
  const { run, pending, error } = useAction();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<readonly Found[]>();
  const look = () => run('find', async () => setFound((await find(search)).slice(0, MAX_FOUND)));
  const choose = (one: Found) =>
    run(one._id, async () => {
      await onChoose(one);
      setSearch('');
      setFound(undefined);
    });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label={label}
          autoComplete="off"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            look();
          }}
        />
        <Button look="secondary" pending={pending === 'find'} onClick={look}>
          {button}
        </Button>
      </div>
      {error && <Alert>{error}</Alert>}
      <ul className="grid justify-items-start gap-1" aria-live="polite">
        {found?.map((one) => (
          <li key={one._id}>
            <Button look="quiet" className="px-0 text-left wrap-anywhere" pending={pending === one._id} onClick={() => choose(one)}>
              {labelOf(one)}
            </Button>
          </li>
        ))}
        {found?.length === 0 && <li>{nothing}</li>}
      </ul>
    </div>
  );
}
