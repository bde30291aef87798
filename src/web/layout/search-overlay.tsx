import { Search, X } from 'lucide';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { PopularSearches } from './popular-searches.tsx';
import type { Combobox } from './search-suggestions.tsx';
import { takeTyped } from './typed-early.ts';

/** Suggestions are loaded when the overlay opens; the input is there at once. */
const loadSuggestions = () => import('./search-suggestions.tsx');
const SearchSuggestions = lazyPart(async () => (await loadSuggestions()).SearchSuggestions);

interface SearchFormProps {
  input: RefObject<HTMLInputElement | null>;
  onClose: () => void;
  /** The page's search, to be corrected. */
  text: string;
}

function SearchForm({ input, onClose, text: pageSearch }: SearchFormProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(pageSearch);
  const [isTyped, setIsTyped] = useState(false);
  // What was typed while the overlay's code was loaded.
  useLayoutEffect(() => {
    const early = takeTyped();
    if (early === '') return;
    setText(early);
    setIsTyped(true);
  }, []);
  // Replaced by the suggestions once they are loaded.
  const [combobox, setCombobox] = useState<Combobox>({ onKeyDown: ({ key }) => key === 'Escape' && onClose() });
  const submit = () => {
    const wanted = text.trim();
    if (wanted === '') return input.current?.focus();
    void loadSuggestions().then(({ rememberSearch }) => rememberSearch(wanted));
    onClose();
    void navigate(`/shop?search=${encodeURIComponent(wanted)}`);
  };
  return (
    <search>
      <form action={submit} className="flex items-center gap-2 border-b-2 border-ink pb-1">
        <label className="sr-only" htmlFor="search-text">
          Search the shop
        </label>
        <input
          ref={input}
          id="search-text"
          name="search"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          aria-expanded={false}
          autoComplete="off"
          maxLength={500}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setIsTyped(true);
          }}
          placeholder="Sofa, oak chair, lamp…"
          className="min-h-target w-full min-w-0 bg-transparent font-display text-heading outline-none"
          {...combobox}
        />
        <button type="submit" className="icon-btn" aria-label="Search">
          <Icon of={Search} />
        </button>
        <IconButton label="Close search" onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      </form>
      <SearchSuggestions text={text} isTyped={isTyped} onCombobox={setCombobox} onClose={onClose} />
    </search>
  );
}

/** The search modal (specification §2). */
export function SearchOverlay({ open, onClose, text }: Omit<SearchFormProps, 'input'> & { open: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} label="Search" shape="top" focus={input} bare>
      <div className="container-page py-8">
        <SearchForm input={input} onClose={onClose} text={text} />
        <h2 className="mt-8 font-sans text-base font-semibold">Popular Search</h2>
        <PopularSearches onClick={onClose} />
      </div>
    </Dialog>
  );
}
