import { Link } from 'react-router';

export function Wordmark() {
  return (
    <Link
      to="/"
      className="inline-flex min-h-target items-center gap-[0.25em] whitespace-nowrap font-display text-lg tracking-tight sm:text-2xl"
      aria-label="Hearth & Oak, home"
    >
      Hearth <span className="text-clay">&amp;</span> Oak
    </Link>
  );
}
