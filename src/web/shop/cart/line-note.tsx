import { Link } from '#web/ui/link.tsx';
import type { LineState } from './use-checked-cart.ts';

/** What has changed about a line, and the link to choose a missing size. */
export function LineNote({ id, state }: { id: string; state: LineState }) {
  return (
    <p className="wrong">
      {state.note}{' '}
      {state.needsSize && (
        <Link to={`/product/${id}`} className="link">
          Choose a size
        </Link>
      )}
    </p>
  );
}
