import { Fragment, useContext } from 'react';
import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import { CompanyContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { PicturesContext } from '#web/ui/picture.tsx';

const LINK = 'inline-flex min-h-target items-center gap-[0.25em] whitespace-nowrap font-display text-lg tracking-tight sm:text-2xl';

/** The shop's logo, or its name. */
export function Wordmark() {
  const picturesOrigin = useContext(PicturesContext);
  const { shop, logo } = useContext(CompanyContext);
  const [first = '', ...rest] = shop.split('&').map((part) => part.trim());
  const name = [
    first,
    ...rest.map((part) => (
      <Fragment key={part}>
        <span className="text-clay">&amp;</span> {part}
      </Fragment>
    )),
  ];
  return (
    <Link to="/" className={LINK} aria-label={`${shop}, home`}>
      {logo ? (
        <img src={shownUrl(picturesOrigin, markUrl(logo))} alt="" className="h-10 w-32 object-contain object-left sm:h-12 sm:w-44" />
      ) : (
        name
      )}
    </Link>
  );
}
