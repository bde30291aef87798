import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** A request is under way: the button shows it, says it, and cannot be pressed again. */
  pending?: boolean;
}

/**
 * While a request is under way the button is disabled by `aria-disabled`: the attribute `disabled` would take the focus off it, and whoever
 * uses the keyboard would start again at the top of the page. A press, or Enter in a field of its form, then does nothing.
 */
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

/** Only ever inside a pressed button. */
function Spinner() {
  return <span className="size-4 animate-turn rounded-full border-2 border-current border-r-transparent" aria-hidden="true" />;
}
