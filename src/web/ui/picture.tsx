import { createContext, type ImgHTMLAttributes, useContext } from 'react';
import { type PictureWidth, pictureAt, sourceSet } from '#contract/catalogue/pictures.ts';

/** Where pictures and models are shown from; empty where it is the shop. */
export const PicturesContext = createContext('');

interface PictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'srcSet'> {
  /** Address as a product names it. */
  src: string;
  alt: string;
  /** How wide the picture is shown, as in CSS `sizes`. */
  sizes: string;
  /** The largest width that its box needs on any screen. */
  most?: PictureWidth;
  /** The largest picture of the first screen: loaded first and at once. */
  priority?: boolean;
  /** Nothing is cut off where its box has another shape than the picture. */
  whole?: boolean;
}

/** A product's picture, 4:5, in the width and format that the browser chooses. Its box has its size before it is loaded, so that nothing shifts. */
export function Picture({ src, alt, sizes, most = 1200, priority = false, whole = false, className = '', ...rest }: PictureProps) {
  const from = useContext(PicturesContext);
  const [avif, webp] = [sourceSet(from, src, 'avif', most), sourceSet(from, src, 'webp', most)];
  const loading = priority ? ({ fetchPriority: 'high', loading: 'eager' } as const) : ({ loading: 'lazy' } as const);
  if (!src) return <div className={`aspect-4/5 bg-stage ${className}`} aria-hidden="true" />;
  return (
    <picture className="contents">
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        src={pictureAt(from, src, most < 640 ? most : 640)}
        srcSet={webp}
        sizes={sizes}
        alt={alt}
        width={960}
        height={1200}
        decoding={priority ? 'sync' : 'async'}
        className={`aspect-4/5 w-full bg-stage ${whole ? 'object-contain' : 'object-cover'} ${className}`}
        {...loading}
        {...rest}
      />
    </picture>
  );
}
