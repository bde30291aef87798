import { Search, X } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { useNavigate } from 'react-router';
import { IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PopularSearches } from './popular-searches.tsx';

interface SearchFormProps {
  input: RefObject<HTMLInputElement | null>;
  onClose: () => void;
  /** What the page searches for: it can be corrected instead of typed again. */
  text: string;
}

function SearchForm({ input, onClose, text }: SearchFormProps) {
  const navigate = useNavigate();
  const submit = (form: FormData) => {
    const wanted = String(form.get('search') ?? '').trim();
    if (wanted === '') return input.current?.focus();
    onClose();
    void navigate(`/shop?search=${encodeURIComponent(wanted)}`);
  };
  return (
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
  );
}

/** The header's modal: search, and the popular searches (specification §2). */
export function SearchOverlay({ open, onClose, text }: Omit<SearchFormProps, 'input'> & { open: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} label="Search" shape="top" focus={input} bare>
      <div className="container-page py-8">
        <div className="flex items-center gap-2">
          <search className="flex-1">
            <SearchForm input={input} onClose={onClose} text={text} />
          </search>
          <IconButton label="Close search" onClick={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
        <h2 className="mt-8 font-sans text-base font-semibold">Popular Search</h2>
        <PopularSearches onClick={onClose} />
      </div>
    </Dialog>
  );
}
