import autoplayPlugin from 'embla-carousel-autoplay';
import useEmblaCarousel from 'embla-carousel-react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Picture } from '#web/ui/picture.tsx';

interface CardCarouselProps {
  images: string[];
  name: string;
  /** Where a click on a picture leads; a swipe leads nowhere. */
  to: string;
  sizes: string;
  autoplay: boolean;
}

/** One picture at a time, in a loop: by swipe, by arrows, by keyboard; by itself only when asked for. */
export function CardCarousel({ images, name, to, sizes, autoplay }: CardCarouselProps) {
  const [plugins] = useState(() =>
    autoplay && !window.matchMedia('(prefers-reduced-motion: reduce)').matches
      ? [autoplayPlugin({ delay: 3000, stopOnInteraction: true, stopOnMouseEnter: true })]
      : [],
  );
  const [viewport, embla] = useEmblaCarousel({ loop: true }, plugins);
  const arrow =
    'icon-btn pointer-events-auto bg-page/90 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-focus-within:opacity-100';
  return (
    <section aria-roledescription="carousel" aria-label={`Pictures of ${name}`}>
      <div ref={viewport} className="relative z-1 overflow-hidden">
        <ul className="flex touch-pan-y">
          {images.map((image) => (
            <li key={image} className="min-w-0 flex-none basis-full">
              <Link to={to} tabIndex={-1} aria-hidden="true" draggable={false}>
                <Picture src={image} alt="" sizes={sizes} draggable={false} />
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className="pointer-events-none absolute inset-x-2 top-1/2 z-10 flex -translate-y-1/2 justify-between">
        <button type="button" className={arrow} aria-label={`Previous picture of ${name}`} onClick={() => embla?.scrollPrev()}>
          <ChevronLeft aria-hidden="true" />
        </button>
        <button type="button" className={arrow} aria-label={`Next picture of ${name}`} onClick={() => embla?.scrollNext()}>
          <ChevronRight aria-hidden="true" />
        </button>
      </div>
    </section>
  );
}
