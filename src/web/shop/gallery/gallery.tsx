import { ZoomIn } from 'lucide';
import { useEffect, useState } from 'react';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dots } from '#web/ui/dots.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { useStrip } from '#web/ui/strip.ts';
import { type GalleryPicture, PAGE_SIZES, WHOLE_SIZES, WIDE_SIZES } from './picture-sizes.ts';

/** Code and larger pictures are loaded when it opens for the first time. */
const ZoomDialog = lazyPart(async () => (await import('./zoom-dialog.tsx')).ZoomDialog);

interface ThumbnailsProps {
  pictures: GalleryPicture[];
  chosen: number;
  onChoose: (index: number) => void;
}

/** Desktop only: each thumbnail selects its picture. */
function Thumbnails({ pictures, chosen, onChoose }: ThumbnailsProps) {
  const look = (isChosen: boolean) => (isChosen ? 'border-accent bg-accent' : 'border-transparent hover:border-edge');
  return (
    <ul aria-label="Pictures" className="hidden gap-2 overflow-x-auto p-1 noscript:hidden md:flex">
      {pictures.map(({ src }, index) => (
        <li key={src} className="w-20 flex-none">
          <button
            type="button"
            aria-label={`Show picture ${index + 1}`}
            aria-current={index === chosen || undefined}
            className={`block w-full overflow-hidden rounded-soft border-2 pb-1 ${look(index === chosen)}`}
            onClick={() => onChoose(index)}
          >
            <Picture src={src} alt="" sizes="5rem" most={160} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface SlideProps {
  picture: GalleryPicture;
  isFirst: boolean;
  /** The frame is wide and shows the middle of the picture. */
  isWide: boolean;
  /** The visitor is about to look at the other pictures. */
  isWanted: boolean;
}

/** Fills the space beside a picture with its outermost column of pixels, stretched. */
function Side({ src, at, isFirst }: { src: string; at: 'left' | 'right'; isFirst: boolean }) {
  return (
    <span aria-hidden="true" className="picture-side">
      <span style={{ [at]: 0, transformOrigin: at }}>
        <Picture
          src={src}
          alt=""
          sizes={WHOLE_SIZES}
          whole
          className="max-md:w-auto"
          loading={isFirst ? 'eager' : 'lazy'}
          style={{ [at]: -1 }}
        />
      </span>
    </span>
  );
}

/**
 * One picture. On a phone it fills the width and leaves room for price and button: whole pieces get more background at the sides, other pictures
 * are cropped at top and bottom.
 */
function Slide({ picture: { src, alt, isWhole }, isFirst, isWide, isWanted }: SlideProps) {
  const hasSides = isWhole && (isFirst || isWanted);
  return (
    <li
      className={`flex min-w-0 flex-none basis-full justify-center overflow-hidden ${isFirst ? '' : 'noscript:basis-[calc((100%-1rem)/3)]'}`}
    >
      {hasSides && <Side src={src} at="left" isFirst={isFirst} />}
      <Picture
        src={src}
        alt={alt}
        sizes={isWide ? WIDE_SIZES : isWhole ? WHOLE_SIZES : PAGE_SIZES}
        priority={isFirst}
        whole={isWhole}
        className={`flex-none max-md:h-[min(125vw,max(43svh,14rem))] ${isWhole ? 'max-md:w-auto' : ''} ${isWide ? 'md:aspect-4/3' : ''} ${isFirst ? '' : 'noscript:h-auto noscript:w-full'}`}
        {...(isWanted && { loading: 'eager' })}
      />
      {hasSides && <Side src={src} at="right" isFirst={isFirst} />}
    </li>
  );
}

interface GalleryProps {
  pictures: GalleryPicture[];
  name: string;
  /** The frame is wide. */
  isWide: boolean;
  /** Index of the chosen size and colour's picture; the gallery scrolls there when it changes. */
  chosen: number;
}

/** A product's pictures: swiped on phones, selected by thumbnails on desktop, enlarged in a lazy dialog. Without scripts all are shown. */
export function Gallery({ pictures, name, isWide, chosen }: GalleryProps) {
  const { ref, index, onScroll, show } = useStrip<HTMLUListElement>(pictures.length);
  useEffect(() => show(chosen), [chosen, show]);
  const [isWanted, setIsWanted] = useState(false);
  // Undefined until it is first enlarged.
  const [isEnlarged, setIsEnlarged] = useState<boolean>();
  const want = () => setIsWanted(true);
  const enlarge = () => setIsEnlarged(true);
  if (pictures.length === 0) return <Picture src="" alt="" sizes="" className="rounded-card" />;
  return (
    <div className="-mt-4 grid content-start gap-3 md:sticky md:top-32 md:mt-0 md:self-start md:noscript:static">
      {/* 4:5, or 4:3 for wide pieces; at most as high as the screen. */}
      <div className="relative mx-[calc(50%-50vw)] md:mx-0">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below enlarges by keyboard. */}
        <ul
          ref={ref}
          aria-label={`Pictures of ${name}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard's arrows scroll it.
          tabIndex={0}
          className="strip -outline-offset-4 noscript:flex-wrap noscript:gap-2 md:cursor-zoom-in md:rounded-card"
          onScroll={onScroll}
          onClick={enlarge}
          onPointerEnter={want}
          onTouchStart={want}
          onFocus={want}
        >
          {pictures.map((picture, place) => (
            <Slide key={picture.src} picture={picture} isFirst={place === 0} isWide={isWide} isWanted={isWanted} />
          ))}
        </ul>
        {pictures.length > 1 && (
          <>
            <Dots count={pictures.length} index={index} className="absolute inset-x-0 bottom-3 noscript:hidden md:hidden" />
            <p
              aria-hidden="true"
              className="absolute left-3 top-3 rounded-soft bg-page/90 px-2 text-sm tabular-nums noscript:hidden md:hidden"
            >
              {index + 1} / {pictures.length}
            </p>
          </>
        )}
        <button
          type="button"
          className="icon-btn absolute bottom-3 right-3 bg-page noscript:hidden"
          aria-label="Enlarge the picture"
          aria-haspopup="dialog"
          onClick={enlarge}
        >
          <Icon of={ZoomIn} />
        </button>
      </div>
      {pictures.length > 1 && <Thumbnails pictures={pictures} chosen={index} onChoose={show} />}
      {isEnlarged !== undefined && (
        <ZoomDialog pictures={pictures} name={name} index={index} open={isEnlarged} onShow={show} onClose={() => setIsEnlarged(false)} />
      )}
    </div>
  );
}
