import { productPathOf } from '#contract/catalogue/variant.ts';
import { type SeenPiece, seenPieces } from '#web/browser/recently-seen.ts';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** The heading and the row of pieces viewed before, with a button to forget them. */
export function RecentPieces({ pieces }: { pieces: readonly SeenPiece[] }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex min-h-target items-center justify-between gap-4">
        <h2 id="recently-seen">Recently viewed</h2>
        <Button look="quiet" onClick={() => seenPieces.write(undefined)}>
          Clear
        </Button>
      </div>
      <ul
        aria-label="Recently viewed"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="relative grid auto-cols-[6.5rem] grid-flow-col justify-start gap-3 overflow-x-auto pb-2"
      >
        {pieces.map((piece) => (
          <li key={piece._id}>
            <Link to={productPathOf(piece._id, piece.variant)} className="group grid gap-1 text-sm">
              <Picture src={piece.image} alt="" sizes="6.5rem" className="rounded-soft" />
              <span className="truncate group-hover:underline">{piece.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
