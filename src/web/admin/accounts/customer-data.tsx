import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserDetail } from '#contract/accounts/users.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Checkbox } from '#web/ui/form/field.tsx';
import { toast } from '#web/ui/toast.ts';

/** What data protection law gives a customer: a copy of their data, and its erasure. */
export function CustomerData({ user }: { user: UserDetail }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { prove, proofDialog } = useProof();
  const { run, pending, error } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const [isForced, setIsForced] = useState(false);
  const input = { params: { id: user._id } };
  const exportAll = () =>
    run('export', async () => {
      const held = await prove(() => dispatch(request('POST /api/office/users/:id/export', input)));
      saveFile(new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' }), `customer-${user._id}.json`);
    });
  const erase = () =>
    run('erase', async () => {
      try {
        const { message } = await prove(() => dispatch(request('POST /api/office/users/:id/erase', { ...input, body: { isForced } })));
        toast.success(message);
        void navigate('/admin/userlist');
      } finally {
        setIsConfirming(false);
      }
    });
  return (
    <Panel title="Their data" className="gap-4">
      <p className="text-soft">If the customer asks for a copy of their data, or to be forgotten.</p>
      {error && <Alert>{error}</Alert>}
      <Checkbox
        label="Also erase orders that are not delivered yet"
        checked={isForced}
        onChange={({ target }) => setIsForced(target.checked)}
      />
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" pending={pending === 'export'} onClick={exportAll}>
          Export their data
        </Button>
        <Button look="secondary" aria-haspopup="dialog" onClick={() => setIsConfirming(true)}>
          Erase this customer
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        question="Erase this customer for good?"
        name={`${user.name}, ${user.email}. Their orders and invoices stay for the books, without personal data where the law allows it.`}
        action="Erase"
        pending={pending === 'erase'}
        onConfirm={erase}
        onCancel={() => setIsConfirming(false)}
      />
      {proofDialog}
    </Panel>
  );
}
