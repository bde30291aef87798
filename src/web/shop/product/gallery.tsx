import { ZoomIn } from 'lucide-react';
import { useState } from 'react';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Picture } from '#web/ui/picture.tsx';

interface ThumbnailsProps {
  images: string[];
  chosen: number;
  onChoose: (index: number) => void;
}

function Thumbnails({ images, chosen, onChoose }: ThumbnailsProps) {
  const look = (isChosen: boolean) => (isChosen ? 'border-accent bg-accent' : 'border-transparent hover:border-edge');
  return (
    <ul
      aria-label="Pictures"
      className="flex max-h-[36svh] flex-col gap-2 overflow-y-auto p-1 md:max-h-none md:flex-row md:overflow-x-auto"
    >
      {images.map((image, index) => (
        <li key={image} className="w-12 flex-none md:w-20">
          <button
            type="button"
            aria-label={`Show picture ${index + 1}`}
            aria-current={index === chosen || undefined}
            className={`block w-full overflow-hidden rounded-soft border-2 pb-1 ${look(index === chosen)}`}
            onClick={() => onChoose(index)}
          >
            <Picture src={image} alt="" sizes="5rem" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The big picture and its thumbnails; the big one can be enlarged in place. */
export function Gallery({ images, name }: { images: string[]; name: string }) {
  const [chosen, setChosen] = useState(0);
  const [isEnlarged, setIsEnlarged] = useState(false);
  useCloseOnBack(isEnlarged, () => setIsEnlarged(false));
  const image = images[chosen] ?? images[0] ?? '';
  const alt = images.length > 1 ? `${name}, picture ${chosen + 1} of ${images.length}` : name;
  return (
    <div className="grid grid-cols-[1fr_auto] content-start gap-3 md:grid-cols-1">
      {/* As wide as a picture of 4:5 may be to fit the screen's height: a higher box would show strips beside it. */}
      <div className="relative w-full max-w-[28.8svh] justify-self-center overflow-hidden rounded-card bg-stage md:max-w-[64svh] md:justify-self-start">
        <Picture src={image} alt={alt} sizes="(min-width: 1024px) 50vw, 100vw" priority whole />
        {image && (
          <button
            type="button"
            className="icon-btn absolute bottom-3 right-3 bg-page"
            aria-label="Enlarge the picture"
            onClick={() => setIsEnlarged(true)}
          >
            <ZoomIn aria-hidden="true" />
          </button>
        )}
      </div>
      {images.length > 1 && <Thumbnails images={images} chosen={chosen} onChoose={setChosen} />}
      <Dialog open={isEnlarged} onClose={() => setIsEnlarged(false)} label={alt} shape="wide">
        <Picture src={image} alt={alt} sizes="(min-width: 1152px) 72rem, 100vw" whole className="max-h-[92dvh]" />
      </Dialog>
    </div>
  );
}
