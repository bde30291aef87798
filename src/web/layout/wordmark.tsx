import { Fragment, useContext } from 'react';
import { Link } from 'react-router';
import { CompanyContext } from '#web/state/store.ts';

export function Wordmark() {
  const { shop } = useContext(CompanyContext);
  const [first = '', ...rest] = shop.split('&').map((part) => part.trim());
  return (
    <Link
      to="/"
      className="inline-flex min-h-target items-center gap-[0.25em] whitespace-nowrap font-display text-lg tracking-tight sm:text-2xl"
      aria-label={`${shop}, home`}
    >
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          <span className="text-clay">&amp;</span> {part}
        </Fragment>
      ))}
    </Link>
  );
}
