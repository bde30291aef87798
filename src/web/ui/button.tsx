import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from './link.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** A request is running: shown, announced, and not pressable. */
  pending?: boolean;
}

/** Pending buttons use `aria-disabled`, since `disabled` would lose the focus. Presses, and Enter in a field of the form, then do nothing. */
export function Button({ look = 'primary', pending = false, className = '', children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`btn btn-${look} ${className}`}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ look = 'primary', className = '', ...rest }: LinkProps & { look?: Look }) {
  return <Link className={`btn btn-${look} ${className}`} {...rest} />;
}

export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; children: ReactNode }) {
  return (
    <button type="button" className={`icon-btn ${className}`} aria-label={label} {...rest}>
      {children}
    </button>
  );
}

function Spinner() {
  return <span className="size-4 animate-turn rounded-full border-2 border-current border-r-transparent" aria-hidden="true" />;
}
