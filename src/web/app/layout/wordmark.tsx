import { Link } from 'react-router';
import { scrollToTop } from './links.ts';

export function Wordmark() {
  return (
    <Link
      to="/"
      onClick={scrollToTop}
      className="whitespace-nowrap font-display text-lg tracking-tight sm:text-2xl"
      aria-label="Hearth & Oak, home"
    >
      Hearth <span className="text-clay">&amp;</span> Oak
    </Link>
  );
}
