import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dots } from '#web/ui/dots.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { useStrip } from '#web/ui/strip.ts';

const CardControls = lazyPart(async () => (await import('./card-controls.tsx')).CardControls);

interface CardCarouselProps {
  images: string[];
  name: string;
  /** The URL that a tap opens. */
  to: string;
  sizes: string;
  /** The card is on the first screen: its picture loads early. */
  priority: boolean;
  autoplay: boolean;
  /** The visitor has pointed at, touched or focused the card: the other pictures and the arrows load, and autoplay stops. */
  isTouched: boolean;
}

/** A card's pictures, one at a time. They scroll natively, also without JavaScript; arrows and wrapping around load later. */
export function CardCarousel({ images, name, to, sizes, priority, autoplay, isTouched }: CardCarouselProps) {
  const strip = useStrip<HTMLUListElement>(images.length);
  const loadsAll = isTouched || autoplay;
  return (
    <section aria-roledescription="carousel" aria-label={`Pictures of ${name}`}>
      {/* Hidden from screen readers and the Tab key: the card's own link leads to the same page, and the arrows are buttons. */}
      <ul ref={strip.ref} aria-hidden="true" tabIndex={-1} className="strip relative z-1" onScroll={strip.onScroll}>
        {images.map((image, index) => (
          <li key={image} className="min-w-0 flex-none basis-full">
            <Link to={to} tabIndex={-1} draggable={false} className="block">
              <Picture
                src={index === 0 || loadsAll ? image : ''}
                alt=""
                sizes={sizes}
                priority={priority && index === 0}
                draggable={false}
              />
            </Link>
          </li>
        ))}
      </ul>
      <Dots count={images.length} index={strip.index} className="absolute inset-x-0 bottom-2 z-2 pointer-fine:hidden" />
      {loadsAll && <CardControls strip={strip} count={images.length} name={name} autoplay={autoplay && !isTouched} />}
    </section>
  );
}
