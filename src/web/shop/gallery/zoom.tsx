import { ChevronLeft, ChevronRight, Minus, Plus, X } from 'lucide';
import { type KeyboardEvent, useContext, useEffect, useRef } from 'react';
import { ORIGINAL_WIDTH, pictureAt } from '#contract/catalogue/pictures.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Picture, PicturesContext } from '#web/ui/picture.tsx';
import { type GalleryPicture, PAGE_SIZES } from './picture-sizes.ts';
import { useZoom } from './use-zoom.ts';
import { CLOSEST } from './zoom-view.ts';

export interface ZoomProps {
  pictures: GalleryPicture[];
  name: string;
  index: number;
  /** Shows another picture; wraps around at both ends. */
  onShow: (index: number) => void;
  onClose: () => void;
}

/** Three presses of plus reach the maximum. */
const STEP = CLOSEST ** (1 / 3);
/** Pixels per arrow key when enlarged. */
const MOVE = 80;

type Zooming = ReturnType<typeof useZoom>;

/** Plus, minus and 0 zoom. Arrows pan an enlarged picture, otherwise go to the next or previous one. */
function onKey(event: KeyboardEvent, { view, zoom, move, reset }: Zooming, step: (by: number) => void): void {
  const moves = { ArrowLeft: { x: MOVE, y: 0 }, ArrowRight: { x: -MOVE, y: 0 }, ArrowUp: { x: 0, y: MOVE }, ArrowDown: { x: 0, y: -MOVE } };
  const arrow = moves[event.key as keyof typeof moves];
  if (event.key === '+' || event.key === '=') zoom(STEP);
  else if (event.key === '-') zoom(1 / STEP);
  else if (event.key === '0') reset();
  else if (arrow && view.scale > 1) move(arrow);
  else if (arrow?.x) step(arrow.x < 0 ? 1 : -1);
  else return;
  event.preventDefault();
}

interface ToolsProps {
  zooming: Zooming;
  count: number;
  step: (by: number) => void;
}

/** Buttons for the same actions, for one finger or a switch device. */
function Tools({ zooming: { view, zoom }, count, step }: ToolsProps) {
  return (
    <div className="absolute inset-x-0 bottom-4 flex justify-center gap-2">
      {count > 1 && (
        <IconButton label="Previous picture" className="bg-page" onClick={() => step(-1)}>
          <Icon of={ChevronLeft} />
        </IconButton>
      )}
      <IconButton label="Zoom out" className="bg-page" aria-disabled={view.scale === 1 || undefined} onClick={() => zoom(1 / STEP)}>
        <Icon of={Minus} />
      </IconButton>
      <IconButton label="Zoom in" className="bg-page" aria-disabled={view.scale === CLOSEST || undefined} onClick={() => zoom(STEP)}>
        <Icon of={Plus} />
      </IconButton>
      {count > 1 && (
        <IconButton label="Next picture" className="bg-page" onClick={() => step(1)}>
          <Icon of={ChevronRight} />
        </IconButton>
      )}
    </div>
  );
}

/** One picture, full screen, up to 4× its fitted size: by wheel, pinch, double tap, keys and buttons. */
export function Zoom({ pictures, index, onShow, onClose }: ZoomProps) {
  const picturesOrigin = useContext(PicturesContext);
  const frame = useRef<HTMLElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const { src = '', alt = '' } = pictures[index] ?? {};
  const step = (by: number) => {
    zooming.reset();
    onShow(index + by);
  };
  const zooming = useZoom({ frame, picture, onSwipe: step });
  const { scale, x, y } = zooming.view;
  useEffect(() => frame.current?.focus(), []);
  return (
    <div className="relative h-full overflow-hidden bg-stage">
      <section
        ref={frame}
        aria-label="Enlarged picture: plus and minus zoom, arrow keys move it or show the next"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard enlarges and moves what is in it.
        tabIndex={0}
        className={`flex h-full touch-none select-none items-center justify-center -outline-offset-4 ${scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in'}`}
        onKeyDown={(event) => onKey(event, zooming, step)}
        {...zooming.gestures}
      >
        <div
          ref={picture}
          className="relative aspect-4/5 max-h-full max-w-full flex-none"
          style={{ height: '100%', transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        >
          {/* The picture already loaded by the page, until the larger one arrives. */}
          <Picture key={`page ${src}`} src={src} alt="" sizes={PAGE_SIZES} whole draggable={false} className="absolute inset-0 h-full" />
          <img
            key={src}
            src={pictureAt(picturesOrigin, src, ORIGINAL_WIDTH)}
            alt={alt}
            decoding="async"
            draggable={false}
            className="absolute inset-0 size-full object-contain"
          />
        </div>
      </section>
      <p role="status" className="sr-only">
        {`${alt}, ${Math.round(scale * 100)} %`}
      </p>
      <Tools zooming={zooming} count={pictures.length} step={step} />
      <IconButton label="Close" className="absolute right-3 top-3 bg-page" onClick={onClose}>
        <Icon of={X} />
      </IconButton>
    </div>
  );
}
