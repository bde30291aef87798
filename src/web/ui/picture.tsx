import { createContext, type ImgHTMLAttributes, useContext } from 'react';
import { type PictureWidth, pictureAt, sourceSet } from '#contract/catalogue/pictures.ts';

/** The pictures' origin; empty for the shop's own. */
export const PicturesContext = createContext('');

interface PictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'srcSet'> {
  /** The URL in the product. */
  src: string;
  alt: string;
  /** The shown width, as CSS `sizes`. */
  sizes: string;
  /** The largest width needed on any screen. */
  most?: PictureWidth;
  /** The first screen's largest picture: loaded eagerly. */
  priority?: boolean;
  /** Never cropped. */
  whole?: boolean;
  /** The class of its shape, if it is not that of a product's picture. */
  shape?: string;
}

/** A picture, 4:5 as a rule, in the width that the browser chooses, or as one WebP where AVIF is unknown. Its box has its size before it loads. */
export function Picture({
  src,
  alt,
  sizes,
  most = 1200,
  priority = false,
  whole = false,
  shape = 'aspect-4/5',
  className = '',
  ...rest
}: PictureProps) {
  const origin = useContext(PicturesContext);
  const avif = sourceSet(origin, src, most);
  const loading = priority ? ({ fetchPriority: 'high', loading: 'eager' } as const) : ({ loading: 'lazy' } as const);
  if (!src) return <div className={`${shape} bg-stage ${className}`} aria-hidden="true" />;
  return (
    <picture className="contents">
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        src={pictureAt(origin, src, most < 640 ? most : 640)}
        alt={alt}
        width={960}
        height={1200}
        decoding={priority ? 'sync' : 'async'}
        className={`${shape} w-full bg-stage ${whole ? 'object-contain' : 'object-cover'} ${className}`}
        {...loading}
        {...rest}
      />
    </picture>
  );
}
