import { useState } from 'react';
import type { Endpoint } from '#contract/base/endpoint.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

interface DeletionOptions<T> {
  endpoint: Endpoint<{ params: { id: string } }>;
  question: string;
  /** What would be deleted, and what stays. */
  nameOf: (thing: T) => string;
  /** Loads the list again. */
  reload: () => Promise<unknown>;
}

/** Asks before something is deleted, deletes it, and says what became of it. The page renders `dialog` and calls `ask`. */
export function useDeletion<T extends { _id: string; name: string }>({ endpoint, question, nameOf, reload }: DeletionOptions<T>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [asked, setAsked] = useState<T>();
  const confirm = async (thing: T) => {
    try {
      await dispatch(request(endpoint, { params: { id: thing._id } }));
      await reload();
      return `${thing.name} was deleted.`;
    } finally {
      setAsked(undefined);
    }
  };
  const dialog = (
    <ConfirmDialog
      open={asked !== undefined}
      question={question}
      name={asked ? nameOf(asked) : ''}
      action="Delete"
      pending={pending !== ''}
      onConfirm={() => asked && run('delete', () => confirm(asked))}
      onCancel={() => setAsked(undefined)}
    />
  );
  return { ask: setAsked, dialog, error, done };
}
