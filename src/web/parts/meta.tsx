import { useContext } from 'react';
import { CompanyContext, OriginContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';

interface MetaProps {
  /** Followed by the shop's name unless `noShopName`. */
  title: string;
  noShopName?: boolean;
  description?: string;
  keywords?: string;
  /** Path and query of the canonical URL. */
  canonical?: string;
  /** The title and the path of a shared link, if not the page's own. */
  shared?: { title: string; path: string };
  /** Path of the picture for social cards. */
  image?: string;
  /** For signed-in, admin and missing pages. */
  noindex?: boolean;
}

/** The page's metadata; React moves it into the head. */
export function Meta({ title: page, noShopName = false, description, keywords, canonical, shared, image, noindex }: MetaProps) {
  const origin = useContext(OriginContext);
  const pictures = useContext(PicturesContext);
  const { shop } = useContext(CompanyContext);
  const title = noShopName ? page : `${page} | ${shop}`;
  return (
    <>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {keywords && <meta name="keywords" content={keywords} />}
      {noindex && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={origin + canonical} />}
      <meta property="og:title" content={shared?.title ?? title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={origin + (shared?.path ?? canonical)} />}
      {image && <meta property="og:image" content={(pictures || origin) + image} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={shop} />
      {image && <meta name="twitter:card" content="summary_large_image" />}
    </>
  );
}
