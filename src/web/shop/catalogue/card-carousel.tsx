import { Link } from 'react-router';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dots } from '#web/ui/dots.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { useStrip } from '#web/ui/strip.ts';

const CardControls = lazyPart(async () => (await import('./card-controls.tsx')).CardControls);

interface CardCarouselProps {
  images: string[];
  name: string;
  /** The target of a tap; a swipe does not navigate. */
  to: string;
  sizes: string;
  /** On the first screen. */
  priority: boolean;
  autoplay: boolean;
  /** Loads the other pictures and the arrows. */
  isWanted: boolean;
}

/** One picture at a time, swiped natively, also without scripts; arrows and wrapping are loaded on interest. */
export function CardCarousel({ images, name, to, sizes, priority, autoplay, isWanted }: CardCarouselProps) {
  const strip = useStrip<HTMLUListElement>(images.length);
  const isLoaded = isWanted || autoplay;
  return (
    <section aria-roledescription="carousel" aria-label={`Pictures of ${name}`}>
      {/* The card's link says the same in words, and the arrows are the keyboard's way. */}
      <ul ref={strip.ref} aria-hidden="true" tabIndex={-1} className="strip relative z-1" onScroll={strip.onScroll}>
        {images.map((image, place) => (
          <li key={image} className="min-w-0 flex-none basis-full">
            <Link to={to} tabIndex={-1} draggable={false} className="block">
              <Picture
                src={place === 0 || isLoaded ? image : ''}
                alt=""
                sizes={sizes}
                priority={priority && place === 0}
                draggable={false}
              />
            </Link>
          </li>
        ))}
      </ul>
      <Dots count={images.length} index={strip.index} className="absolute inset-x-0 bottom-2 z-2 pointer-fine:hidden" />
      {isLoaded && <CardControls strip={strip} count={images.length} name={name} autoplay={autoplay && !isWanted} />}
    </section>
  );
}
