import type { ModelViewerElement } from '@google/model-viewer';
// Not plus, minus and round arrows: at a third use, the build would move those icons into every page's chunk.
import { Redo, Undo, X, ZoomIn, ZoomOut } from 'lucide';
import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { type modelOfSize, shownUrl } from '#contract/catalogue/pictures.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { WHOLE_SIZES } from '#web/shop/gallery/picture-sizes.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Picture, PicturesContext } from '#web/ui/picture.tsx';

/** Per button press: the turn in radians, and the zoom steps. */
const TURN = Math.PI / 6;
const STEP = 3;

/** Per arrow key, which repeats while held, in radians. */
const NUDGE = Math.PI / 18;
const KEYS = 'Arrow keys turn it, plus and minus zoom.';

type State = 'loading' | 'ready' | 'failed' | 'impossible';

/** Status texts, also for screen readers. */
const WORDS: Record<State, string> = {
  loading: 'Loading the 3D model',
  ready: `The 3D model is ready. ${KEYS}`,
  failed: 'The 3D model could not be loaded. Please close this view and try again, or look at the pictures.',
  impossible: 'This browser cannot show 3D (WebGL is missing or switched off). Please look at the pictures.',
};

const canDraw = () => Boolean(document.createElement('canvas').getContext('webgl2'));

type Colour = Product['colors'][number];

/** Loads the model into `stage`, in that colour if its file has it. Returns the viewer, its state, whether it shows the colour, and the share loaded. */
function useViewer(stage: RefObject<HTMLElement | null>, { src, name, colour }: { src: string; name: string; colour: Colour | undefined }) {
  const [state, setState] = useState<State>('loading');
  // True until the loaded file turns out to lack the colour.
  const [isInColour, setIsInColour] = useState(true);
  const [share, setShare] = useState<number>();
  const viewer = useRef<ModelViewerElement>(undefined);
  const picturesOrigin = useContext(PicturesContext);
  useEffect(() => {
    let isGone = false;
    if (!canDraw()) return setState('impossible');
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'btn btn-primary absolute inset-x-0 bottom-3 mx-auto w-fit',
    });
    button.textContent = 'View in your room';
    const fail = () => setState('failed');
    import('./viewer.ts').then(({ makeViewer }) => {
      if (isGone) return;
      const words = { alt: `${name} in 3D`, keys: KEYS };
      const colourNames = colour ? [colour.hexCode, colour.name, colour.colorName].map((text) => text.toLowerCase()) : [];
      const onReady = (isShown: boolean) => {
        setIsInColour(isShown);
        setState('ready');
      };
      const options = { src: shownUrl(picturesOrigin, src), colourNames, ...words, onProgress: setShare, onReady, onFailure: fail };
      viewer.current = makeViewer(options, button);
      stage.current?.append(viewer.current);
    }, fail);
    return () => {
      isGone = true;
      viewer.current?.remove();
    };
  }, [stage, picturesOrigin, src, name, colour]);
  return { viewer, state, isInColour, share };
}

type Viewer = RefObject<ModelViewerElement | undefined>;

/** Turns and tips the piece, in radians. */
function turn({ current }: Viewer, by: number, tip = 0): void {
  if (!current) return;
  // Finishes the previous animation first, so that presses add up.
  current.jumpCameraToGoal();
  const { theta, phi, radius } = current.getCameraOrbit();
  current.cameraOrbit = `${theta + by}rad ${phi + tip}rad ${radius}m`;
}

/** Each key's turn and tip, or zoom steps. */
const TURNS: Record<string, readonly [turn: number, tip: number]> = {
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
  ArrowUp: [0, -NUDGE],
  ArrowDown: [0, NUDGE],
};
const ZOOMS: Record<string, number> = { '+': STEP, '=': STEP, '-': -STEP };

/** Keys work anywhere in the dialog. The viewer itself handles only arrows. */
function useKeys(stage: RefObject<HTMLElement | null>, viewer: Viewer): void {
  useEffect(() => {
    const dialog = stage.current?.closest('dialog');
    const press = ({ key, target }: KeyboardEvent) => {
      const [steps, angles] = [ZOOMS[key], TURNS[key]];
      if (steps) viewer.current?.zoom(steps);
      if (angles && target !== viewer.current) turn(viewer, ...angles);
    };
    dialog?.addEventListener('keydown', press);
    return () => dialog?.removeEventListener('keydown', press);
  }, [stage, viewer]);
}

/** Buttons to turn and zoom, for one finger, a switch device or the keyboard. */
function Tools({ viewer }: { viewer: Viewer }) {
  return (
    <div className="flex justify-center gap-2">
      <IconButton label="Turn left" className="bg-page" onClick={() => turn(viewer, -TURN)}>
        <Icon of={Undo} />
      </IconButton>
      <IconButton label="Zoom out" className="bg-page" onClick={() => viewer.current?.zoom(-STEP)}>
        <Icon of={ZoomOut} />
      </IconButton>
      <IconButton label="Zoom in" className="bg-page" onClick={() => viewer.current?.zoom(STEP)}>
        <Icon of={ZoomIn} />
      </IconButton>
      <IconButton label="Turn right" className="bg-page" onClick={() => turn(viewer, TURN)}>
        <Icon of={Redo} />
      </IconButton>
    </div>
  );
}

interface DimensionsProps {
  product: Product;
  /** The size and the colour that the model shows. */
  size: Product['sizes'][number] | undefined;
  colour: Colour | undefined;
}

/** What the model shows, and its dimensions. */
function Dimensions({ product: { sizes, colors, measurements }, size, colour }: DimensionsProps) {
  const entries = (size?.measurements.length ? size.measurements : measurements).filter(({ cm }) => cm);
  const choices = [sizes.length > 1 && size?.size, colors.length > 1 && colour?.name].filter(Boolean).join(', ');
  return (
    <div className="flex flex-wrap justify-center gap-x-4 text-sm">
      {choices && <p className="font-semibold">Shown as {choices}</p>}
      {entries.length > 0 && (
        <dl aria-label="Measurements" className="flex flex-wrap justify-center gap-x-4">
          {entries.map(({ name, cm }) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-soft">{name}</dt>
              <dd>{cm}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

interface ModelViewProps {
  product: Product;
  model: NonNullable<ReturnType<typeof modelOfSize>>;
  /** The chosen size and colour, if the product has several. */
  size: Product['sizes'][number] | undefined;
  color: string | undefined;
  onClose: () => void;
}

/** A product in 3D, full screen: turned by drag, arrows and buttons. Shows its picture while loading. */
export function ModelView({ product, model, size, color, onClose }: ModelViewProps) {
  const stage = useRef<HTMLDivElement>(null);
  const colour = product.colors.find(({ hexCode }) => hexCode === color);
  const { viewer, state, isInColour, share } = useViewer(stage, { src: model.url, name: product.name, colour });
  useKeys(stage, viewer);
  const isReady = state === 'ready';
  return (
    <div className="flex h-full flex-col gap-3 bg-stage pb-4">
      <div className="relative min-h-0 flex-1">
        {!isReady && (
          <Picture
            src={product.images[pictureOf(product.pictures, size?.size, color)] ?? ''}
            alt=""
            sizes={WHOLE_SIZES}
            priority
            whole
            className="absolute inset-0 size-full object-contain"
          />
        )}
        <div ref={stage} className={`absolute inset-0 ${isReady ? '' : 'opacity-0'}`} />
        <IconButton label="Close" className="absolute right-3 top-3 bg-page" onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      </div>
      <div className="grid flex-none gap-3 px-4">
        <p role="status" className={isReady ? 'sr-only' : 'text-center text-sm'}>
          {WORDS[state]}
        </p>
        {state === 'loading' && <progress aria-label="Loading" value={share} className="mx-auto w-48 accent-accent" />}
        {isReady && <Tools viewer={viewer} />}
        <Dimensions product={product} size={model.isOfSize ? size : product.sizes[0]} colour={isInColour ? colour : product.colors[0]} />
      </div>
    </div>
  );
}
