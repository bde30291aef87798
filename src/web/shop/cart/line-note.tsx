import { Link } from 'react-router';
import type { LineState } from './use-checked-cart.ts';

/** What has become of a line of the cart since it was put in, and the way to choose the size that it lacks. */
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
