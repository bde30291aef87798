import { useContext } from 'react';
import { wholeUrl } from '#contract/pictures.ts';
import { OriginContext } from '#web/state/store.ts';

interface MetaProps {
  title: string;
  description?: string;
  keywords?: string;
  /** Path and query of the page's one true address. */
  canonical?: string;
  /** Path of the picture for social cards. */
  image?: string;
  /** Signed-in and admin pages, and pages that are not there. */
  noindex?: boolean;
}

/** The head of a page: React moves these into the document's head on both sides. */
export function Meta({ title, description, keywords, canonical, image, noindex }: MetaProps) {
  const origin = useContext(OriginContext);
  return (
    <>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {keywords && <meta name="keywords" content={keywords} />}
      {noindex && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={origin + canonical} />}
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={origin + canonical} />}
      {image && <meta property="og:image" content={wholeUrl(origin, image)} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Hearth &amp; Oak" />
      {image && <meta name="twitter:card" content="summary_large_image" />}
    </>
  );
}
