import { type ReactNode, useRef, useState } from 'react';
import { isProblem } from '#contract/platform/problem.ts';
import { deviceToken } from '#web/browser/browser-storage.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

type Asked = 'password' | 'code';

const FIELDS = {
  password: { label: 'Your password', autoComplete: 'current-password', type: 'password', missing: 'Password is required' },
  code: { label: 'Code from your authenticator app', autoComplete: 'one-time-code', type: 'text', missing: 'The code is required' },
} as const;

/** The proof that a refused call asks for; undefined for other failures. */
function askedBy(error: unknown): Asked | undefined {
  if (!isProblem(error) || error.status !== 403) return undefined;
  return (['password', 'code'] as const).find((name) => error.errors?.[name]);
}

interface ProofFormProps {
  asked: Asked;
  onProven: () => void;
  onClose: () => void;
}

function ProofForm({ asked, onProven, onClose }: ProofFormProps) {
  const dispatch = useAppDispatch();
  const { missing, ...field } = FIELDS[asked];
  const form = useForm({
    ...useFields({ proof: '' }),
    check: ({ proof }) => ({ proof: !proof.trim() && missing }),
    // The server's error is at `password` or `code`.
    names: { [asked]: 'proof' },
    async send({ proof }) {
      await dispatch(request('POST /api/users/proof', { body: { [asked]: proof, device: deviceToken() } }));
      onProven();
    },
  });
  return (
    <Form form={form} className="mt-4 grid gap-5">
      <Field {...field} required {...form.bind('proof')} />
      <p className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" pending={form.pending}>
          Confirm
        </Button>
      </p>
    </Form>
  );
}

const QUESTION = 'Confirm it’s you';

/**
 * For calls that ask for password or code again (`proven` on the server): `prove` makes the call, asks if it is refused for that, and repeats
 * it once. Closing the dialog throws the refusal. `proofDialog` must not be inside a form: it is one, and its submit would reach the outer one.
 */
export function useProof(): { prove: <T>(call: () => Promise<T>) => Promise<T>; proofDialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>();
  /** Lets the call that waits for the dialog continue. */
  const resume = useRef<(isProven: boolean) => void>(() => {});
  const close = (isProven: boolean) => {
    setAsked(undefined);
    resume.current(isProven);
  };
  const prove = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      const wanted = askedBy(error);
      if (!wanted) throw error;
      // One dialog for one call: a call that waits already is refused.
      resume.current(false);
      const isProven = await new Promise<boolean>((resolve) => {
        resume.current = resolve;
        setAsked(wanted);
      });
      if (!isProven) throw error;
      return call();
    }
  };
  const proofDialog = (
    <Dialog open={asked !== undefined} onClose={() => close(false)} label={QUESTION} bare>
      <h2>{QUESTION}</h2>
      <p className="mt-2 text-soft">
        We ask again before refunds, changes of rights, exports of customers’ data and changes of company, tax and payment. After that, we
        do not ask for ten minutes.
      </p>
      {asked && <ProofForm asked={asked} onProven={() => close(true)} onClose={() => close(false)} />}
    </Dialog>
  );
  return { prove, proofDialog };
}
