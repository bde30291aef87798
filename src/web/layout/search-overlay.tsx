import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { POPULAR_SEARCHES } from './links.ts';

interface SearchOverlayProps {
  open: boolean;
  onClose: () => void;
  /** What the page searches for: it can be corrected instead of typed again. */
  text: string;
}

/** The header's modal: search, and the popular searches (specification §2). */
export function SearchOverlay({ open, onClose, text }: SearchOverlayProps) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const submit = (form: FormData) => {
    const wanted = String(form.get('search') ?? '').trim();
    if (wanted === '') return input.current?.focus();
    onClose();
    void navigate(`/shop?search=${encodeURIComponent(wanted)}`);
  };
  return (
    <Dialog open={open} onClose={onClose} label="Search" shape="top" focus={input} bare>
      <div className="container-page py-8">
        <div className="flex items-center gap-2">
          <search className="flex-1">
            <form action={submit} className="flex items-center gap-2 border-b-2 border-ink pb-1">
              <label className="sr-only" htmlFor="search-text">
                Search the shop
              </label>
              <input
                ref={input}
                id="search-text"
                name="search"
                type="search"
                autoComplete="off"
                maxLength={100}
                defaultValue={text}
                // By itself a search field takes Escape for clearing what was typed.
                onKeyDown={({ key }) => key === 'Escape' && onClose()}
                placeholder="Sofa, oak chair, lamp…"
                className="min-h-target w-full min-w-0 bg-transparent font-display text-heading outline-none"
              />
              <button type="submit" className="icon-btn" aria-label="Search">
                <Search aria-hidden="true" />
              </button>
            </form>
          </search>
          <IconButton label="Close search" onClick={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
        <h2 className="mt-8 font-sans text-base font-semibold">Popular Search</h2>
        <ul className="mt-3 flex flex-wrap gap-3">
          {POPULAR_SEARCHES.map(({ label, to }) => (
            <li key={to}>
              <Link to={to} className="btn btn-secondary" onClick={onClose}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
