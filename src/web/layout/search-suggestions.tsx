import { X } from 'lucide';
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type KeyboardEventHandler,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { forgetSearch, readRecentSearches, recentFor, rememberSearch } from '#web/browser/recent-searches.ts';
import { severalOf } from '#web/parts/several-of.ts';
import { MarketContext } from '#web/state/store.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { groupsOf, type Option, optionId, SuggestionList, searchAddress } from './suggestion-list.tsx';
import { useSuggestions } from './use-suggestions.ts';

export { rememberSearch };

/** The combobox props of the input. */
export type Combobox = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'aria-expanded' | 'aria-controls' | 'aria-activedescendant' | 'aria-autocomplete' | 'onKeyDown'
>;

interface RecentProps {
  searches: readonly string[];
  onClose: () => void;
  /** Without an argument, forgets all. */
  onForget: (search?: string) => void;
}

/** The visitor's last searches, while nothing is typed. */
function RecentSearches({ searches, onClose, onForget }: RecentProps) {
  if (searches.length === 0) return null;
  return (
    <section aria-label="Your last searches" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-sans text-base font-semibold">Your last searches</h2>
        <button type="button" className="link min-h-target text-sm" onClick={() => onForget()}>
          Remove all
        </button>
      </div>
      <ul className="md:grid md:grid-cols-2 md:gap-x-6">
        {searches.map((search) => (
          <li key={search} className="flex items-center justify-between gap-2 border-b border-line">
            <Link to={searchAddress(search)} className="min-w-0 flex-1 break-words py-2.5 hover:underline" onClick={onClose}>
              {search}
            </Link>
            <IconButton label={`Remove ${search} from your last searches`} onClick={() => onForget(search)}>
              <Icon of={X} className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Keys {
  /** The number of options. */
  count: number;
  active: number;
  isOpen: boolean;
  onActive: (index: number) => void;
  /** Opens or closes the list for the input's value, which may be ahead of the last render. */
  onOpen: (isOpen: boolean, value: string) => void;
  onChoose: (index: number) => void;
  onClose: () => void;
}

/** The keys of a combobox: arrows choose, Enter opens the choice, Escape closes the list and then the overlay. */
function keyHandler({ count, active, isOpen, onActive, onOpen, onChoose, onClose }: Keys) {
  const step = (by: number, value: string) => {
    onOpen(true, value);
    // One position more than the options: -1, the input itself.
    const positions = count + 1;
    if (isOpen) onActive(((active + 1 + by + positions) % positions) - 1);
  };
  const actions = new Map<string, (value: string) => void>([
    ['ArrowDown', (value) => step(1, value)],
    ['ArrowUp', (value) => step(-1, value)],
    ['Escape', (value) => (isOpen && count > 0 ? onOpen(false, value) : onClose())],
  ]);
  if (active >= 0) actions.set('Enter', () => onChoose(active));
  return (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (/^(Home|End|Arrow(Left|Right))$/.test(event.key)) onActive(-1);
    const action = actions.get(event.key);
    if (!action) return;
    // A dialog would close on Escape, and a form submit on Enter.
    event.preventDefault();
    action(event.currentTarget.value);
  };
}

interface SuggestionsProps {
  /** The input's value. */
  text: string;
  /** False for the initial value. */
  isTyped: boolean;
  /** Receives the input's combobox props. */
  onCombobox: (combobox: Combobox) => void;
  onClose: () => void;
}

/** Whether the list is open, and the chosen option; both reset when the text changes. */
function useListState({ text, isTyped }: Pick<SuggestionsProps, 'text' | 'isTyped'>, id: string) {
  // The text whose list is closed: at first the page's search, until something is typed.
  const [closedFor, setClosedFor] = useState(isTyped ? undefined : text);
  const [choice, setChoice] = useState({ text, index: -1 });
  const chosen = choice.text === text ? choice.index : -1;
  useEffect(() => {
    if (chosen >= 0) document.getElementById(optionId(id, chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);
  return {
    isOpen: closedFor !== text,
    chosen,
    onOpen: (isOpen: boolean, value: string) => setClosedFor(isOpen ? undefined : value),
    onActive: (index: number) => setChoice({ text, index }),
  };
}

const NO_SUGGESTIONS = { searches: [], categories: [], subCategories: [], products: [], notSold: null, help: [], total: 0, isMore: false };
/** The most of the visitor's own searches among the suggestions. */
const MOST_RECENT = 2;

const countText = (count: number) => (count === 0 ? 'No suggestions' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`);

/** The suggestions for a typed text, as a combobox list. The input belongs to the overlay, which is loaded earlier. */
export function SearchSuggestions({ text, isTyped, onCombobox, onClose }: SuggestionsProps) {
  const id = useId();
  const market = useContext(MarketContext);
  const [recent, setRecent] = useState(readRecentSearches);
  const { isOpen, chosen, onOpen, onActive } = useListState({ text, isTyped }, id);
  const typed = isOpen ? text.trim() : '';
  const newest = useSuggestions(typed);
  // Fixed while an option is chosen, so that Enter opens that one though newer suggestions arrived.
  const [found, setFound] = useState(newest);
  if (chosen < 0 && found !== newest) setFound(newest);
  const groups =
    typed === '' ? [] : groupsOf({ ...(found ?? NO_SUGGESTIONS), recent: recentFor(recent, typed).slice(0, MOST_RECENT), typed }, market);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const active = chosen < count ? chosen : -1;
  const clickOption = (index: number) => document.getElementById(optionId(id, index))?.click();
  // A ref, so that a quick Enter acts on what is rendered.
  const onKeyDown = useRef<KeyboardEventHandler<HTMLInputElement>>(undefined);
  useLayoutEffect(() => {
    onKeyDown.current = keyHandler({ count, active, isOpen, onActive, onOpen, onChoose: clickOption, onClose });
  });
  useEffect(() => {
    onCombobox({
      'aria-autocomplete': 'list',
      'aria-expanded': count > 0,
      'aria-controls': count > 0 ? id : undefined,
      'aria-activedescendant': active < 0 ? undefined : optionId(id, active),
      onKeyDown: (event) => onKeyDown.current?.(event),
    });
  }, [onCombobox, count, active, id]);
  const leave = ({ search }: Option) => {
    if (search) rememberSearch(search);
    onClose();
  };
  return (
    <>
      <p role="status" className="sr-only">
        {typed !== '' && (found || count > 0) && countText(count)}
      </p>
      {typed !== '' && found?.notSold && <p className="mt-4 text-soft">We don’t sell {severalOf(found.notSold)}.</p>}
      {count > 0 && <SuggestionList id={id} groups={groups} active={active} onChoose={leave} />}
      {text.trim() === '' && <RecentSearches searches={recent} onClose={onClose} onForget={(search) => setRecent(forgetSearch(search))} />}
    </>
  );
}
