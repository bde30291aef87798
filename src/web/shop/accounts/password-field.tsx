import { type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Field } from '#web/ui/form/field.tsx';
import type { Bind } from '#web/ui/form/use-form.ts';

interface PasswordFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <Field label={label} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} {...rest} />
      <button
        type="button"
        className="link absolute right-0 top-0 min-h-6 text-sm"
        aria-pressed={isShown}
        aria-label={`Show ${label.toLowerCase()}`}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </div>
  );
}

interface NewPasswordProps {
  bind: Bind<'password' | 'confirmPassword'>;
  required?: boolean;
  hint?: string;
}

/** Only the browser knows the second password (specification §5). */
export const checkRepeated = ({ password, confirmPassword }: { password: string; confirmPassword: string }) => ({
  confirmPassword: confirmPassword !== password && 'Passwords do not match',
});

const CommonPassword = lazyPart(async () => (await import('./common-password.tsx')).CommonPassword);

export function NewPasswordFields({ bind, required = false, hint = 'At least 8 characters.' }: NewPasswordProps) {
  const shared = { autoComplete: 'new-password', required };
  const control = bind('password');
  return (
    <>
      <PasswordField
        label="Password"
        minLength={8}
        hint={
          !control.error && (
            <>
              {hint}
              {control.value.length > 7 && <CommonPassword password={control.value} />}
            </>
          )
        }
        {...shared}
        {...control}
      />
      <PasswordField label="Confirm Password" {...shared} {...bind('confirmPassword')} />
    </>
  );
}
