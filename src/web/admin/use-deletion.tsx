import { useEffect, useRef, useState } from 'react';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

interface DeletionOptions<T> {
  endpoint: 'DELETE /api/products/:id' | 'DELETE /api/users/:id';
  question: string;
  /** In the dialog: what is deleted, and what stays. */
  textOf: (thing: T) => string;
  /** Reloads the list, also after a failure: the row may have been deleted by somebody else. */
  reload: () => Promise<unknown>;
}

/**
 * Asks before a deletion, and reports its result. The page renders `dialog` and `message` and calls `ask`. The message takes the focus, since
 * the row's button may be gone.
 */
export function useDeletion<T extends { _id: string; name: string }>({ endpoint, question, textOf, reload }: DeletionOptions<T>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const { prove, proofDialog } = useProof();
  const [toDelete, setToDelete] = useState<T>();
  const messageBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error || done) messageBox.current?.focus();
  }, [error, done]);
  const deleteThing = async (thing: T) => {
    try {
      await prove(() => dispatch(request(endpoint, { params: { id: thing._id } })));
      return `${thing.name} was deleted.`;
    } finally {
      await reload();
      setToDelete(undefined);
    }
  };
  const dialog = (
    <>
      <ConfirmDialog
        open={toDelete !== undefined}
        question={question}
        name={toDelete ? textOf(toDelete) : ''}
        action="Delete"
        pending={pending !== ''}
        onConfirm={() => toDelete && run('delete', () => deleteThing(toDelete))}
        onCancel={() => setToDelete(undefined)}
      />
      {proofDialog}
    </>
  );
  const message = (error || done) && (
    <div ref={messageBox} tabIndex={-1} className="mb-4">
      <Alert tone={error ? 'bad' : 'good'}>{error || done}</Alert>
    </div>
  );
  return { ask: setToDelete, dialog, message };
}
