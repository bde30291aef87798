import { type ReactNode, useId, useState } from 'react';
import { useLocation } from 'react-router';
import { Link } from '#web/ui/link.tsx';

interface ListToolsProps {
  /** Says what can be searched, such as "Find by id, email or name". */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  children?: ReactNode;
}

/** Search, filters and sort above a list. On a phone the filters are folded. */
export function ListTools({ label, search, onSearch, children }: ListToolsProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="mb-5 flex flex-wrap items-end gap-3 print:hidden">
      <search className="min-w-56 flex-1 md:min-w-80">
        <form action={(form) => onSearch(String(form.get('search') ?? '').trim())} key={search}>
          <label htmlFor={id} className="block text-sm">
            {label}
          </label>
          <div className="flex gap-2">
            <input id={id} name="search" type="search" className="input" defaultValue={search} maxLength={100} />
            <button type="submit" className="btn btn-secondary">
              Find
            </button>
          </div>
        </form>
      </search>
      {children && (
        <button type="button" className="btn btn-quiet md:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters and sort
        </button>
      )}
      <div className={isOpen ? 'contents' : 'hidden md:contents'}>{children}</div>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="max-w-full">
      <label htmlFor={id} className="block text-sm">
        {label}
      </label>
      {children}
    </div>
  );
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <select id={id} className="input w-auto max-w-full" value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function DayChoice({ label, value, onChange }: Omit<ChoiceProps, 'options'>) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <input id={id} type="date" className="input w-auto" value={value} onChange={({ target }) => onChange(target.value)} />
    </Labelled>
  );
}

/** An empty list; links to the whole list if a search or filter emptied it. */
export function NothingFound() {
  const { pathname, search } = useLocation();
  return (
    <p className="panel text-center">
      Nothing to show.{' '}
      {search && (
        <Link to={pathname} className="link">
          Show everything
        </Link>
      )}
    </p>
  );
}
