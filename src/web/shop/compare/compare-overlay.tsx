import { X } from 'lucide';
import { useLocation, useNavigate } from 'react-router';
import { variantIn, variantParameters } from '#contract/catalogue/variant.ts';
import { MAX_COMPARED } from '#contract/platform/limits.ts';
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { type Compared, dropCompared, keptCompared, type Wanted } from './compared.ts';
import { Comparison } from './comparison.tsx';

/** A product in the URL: `id`, or `id:two-seat:slate`. */
function textOf({ _id, variant }: Wanted): string {
  const { size, colour } = variantIn(new URLSearchParams(variant));
  return [_id, size ?? '', colour ?? ''].map(encodeURIComponent).join(':').replace(/:+$/, '');
}

/** URL of the list with a comparison over it, or of the list alone if there is nothing to compare. */
function addressOf(list: string, pieces: readonly Wanted[]): string {
  if (pieces.length === 0) return list;
  return `${list}${list.includes('?') ? '&' : '?'}compare=${pieces.map(textOf).join(',')}`;
}

/** The products in the URL's parameter `compare`, each once. */
function piecesIn(parameter: string): Wanted[] {
  const pieces = parameter.split(',').map((text) => {
    const [_id = '', size, colour] = text.trim().toLowerCase().split(':');
    return { _id, variant: variantParameters({ size, colour }) };
  });
  // Backwards: a map keeps the last of equal keys, here the first in the URL.
  const byId = new Map(pieces.toReversed().map((piece) => [piece._id, piece]));
  return [...byId.values()].reverse().filter(({ _id }) => _id !== '');
}

interface BarProps {
  chosen: readonly Compared[];
  href: string;
}

/** The chosen products, at the bottom of the screen. */
function Bar({ chosen, href }: BarProps) {
  return (
    <section
      aria-label="Compare"
      data-compare-bar=""
      className="sticky bottom-0 z-10 -mx-gutter mt-8 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-paper px-gutter py-2 print:hidden"
    >
      <ul className="flex gap-2">
        {chosen.map(({ _id, name, image }) => (
          <li key={_id} className="relative w-11 pr-1 pt-1">
            <Picture src={image} alt={name} sizes="3rem" className="rounded-soft" />
            <button
              type="button"
              className="absolute right-0 top-0 flex size-6 items-center justify-center rounded-full border border-edge bg-paper"
              aria-label={`Remove ${name} from the comparison`}
              onClick={() => dropCompared(_id)}
            >
              <Icon of={X} className="size-4" />
            </button>
          </li>
        ))}
      </ul>
      <p className="text-sm" role="status">
        {chosen.length} of {MAX_COMPARED} chosen{chosen.length === 1 && ': choose another to compare'}
      </p>
      <div className="ml-auto flex items-center gap-2">
        <Button look="quiet" onClick={() => keptCompared.write(undefined)}>
          Clear
        </Button>
        {chosen.length > 1 && (
          <ButtonLink to={href} state={OPENED} preventScrollReset>
            Compare
          </ButtonLink>
        )}
      </div>
    </section>
  );
}

/** Marks a comparison opened from the list: Back and Close then return to the list's own history entry. */
const OPENED = { isOpenedFromList: true };

interface CompareOverlayProps {
  /** URL of the list without a comparison. */
  list: string;
  /** The URL's parameter `compare`. */
  parameter: string;
  chosen: readonly Compared[];
}

/** The bar and the overlay. The overlay's content is in the URL, so it can be shared and reloaded, and Back closes it. */
export function CompareOverlay({ list, parameter, chosen }: CompareOverlayProps) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: Partial<typeof OPENED> | null };
  const pieces = piecesIn(parameter);
  const close = () => {
    if (pieces.length === 0) return;
    if (state?.isOpenedFromList) void navigate(-1);
    else void navigate(list, { replace: true, preventScrollReset: true });
  };
  const drop = (id: string) => {
    dropCompared(id);
    const left = pieces.filter(({ _id }) => _id !== id);
    if (left.length === 0) close();
    else void navigate(addressOf(list, left), { replace: true, preventScrollReset: true, state });
  };
  return (
    <>
      {chosen.length > 0 && <Bar chosen={chosen} href={addressOf(list, chosen)} />}
      <Dialog open={pieces.length > 0} onClose={close} label="Compare" shape="page" bare>
        <div className="container-page py-6">
          <div className="flex items-center justify-between gap-4">
            <h2 className="text-title">Compare</h2>
            <div className="flex items-center gap-2 print:hidden">
              <Button look="quiet" onClick={() => window.print()}>
                Print
              </Button>
              <IconButton label="Close" onClick={close}>
                <Icon of={X} />
              </IconButton>
            </div>
          </div>
          {pieces.length > MAX_COMPARED ? (
            <p>
              This link has {pieces.length} pieces. At most {MAX_COMPARED} can be compared.{' '}
              <Link to={addressOf(list, pieces.slice(0, MAX_COMPARED))} replace state={state} preventScrollReset className="link">
                Compare the first {MAX_COMPARED}
              </Link>
            </p>
          ) : (
            <Comparison wanted={pieces} chosen={chosen} onDrop={drop} />
          )}
        </div>
      </Dialog>
    </>
  );
}
