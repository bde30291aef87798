import { Dialog } from '#web/ui/dialog.tsx';
import { HeaderLinks } from './header-links.tsx';
import { SearchOverlay } from './search-overlay.tsx';

/** Undefined until the first overlay opens. */
export type OpenOverlay = 'none' | 'menu' | 'search' | undefined;

interface HeaderOverlaysProps {
  open: OpenOverlay;
  here: Pick<Location, 'pathname' | 'search'>;
  /** The current search. */
  text: string;
  onClose: () => void;
}

/** The menu of a small screen, and the search. Closed ones stay mounted, to return the focus. */
export function HeaderOverlays({ open, here, text, onClose }: HeaderOverlaysProps) {
  return (
    <>
      <Dialog open={open === 'menu'} onClose={onClose} label="Menu" shape="side">
        <nav aria-label="Main" className="px-6 py-16">
          <ul className="grid gap-1">
            <HeaderLinks here={here} onClick={onClose} className="block border-b border-line py-3 font-display text-heading" />
          </ul>
        </nav>
      </Dialog>
      <SearchOverlay open={open === 'search'} onClose={onClose} text={text} />
    </>
  );
}
