import type { SetUp } from '#contract/accounts/second-factor.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface ConfirmFormProps {
  setUp: SetUp;
  onConfirmed: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** Always black on white, as scanners need. */
function QrCode({ qr: { size, path } }: Pick<SetUp, 'qr'>) {
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      className="w-full max-w-60"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

export function ConfirmForm({ setUp, onConfirmed, onClose }: ConfirmFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ code: '' }),
    schema: async () => (await import('#contract/accounts/second-factor.schema.ts')).ConfirmBody,
    send: async (body) => onConfirmed((await dispatch(request('POST /api/users/second-factor/confirm', { body }))).recoveryCodes),
  });
  return (
    <Form form={form} className="grid gap-4">
      <p>Scan this with an authenticator app, such as the one in your password manager.</p>
      <QrCode qr={setUp.qr} />
      <p className="text-sm text-soft">
        Or type this key into it: <span className="wrap-anywhere font-mono">{setUp.secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
      <Field
        label="Code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="The 6 digits that the app shows now."
        {...form.bind('code')}
      />
      <FormButtons pending={form.pending} close="Cancel" onClose={onClose}>
        Confirm
      </FormButtons>
    </Form>
  );
}
