import './blocked-features.ts';
import { ModelViewerElement } from '@google/model-viewer';

/** The model to show, and callbacks. */
export interface Shown {
  src: string;
  /** The names, in lower case, that the model's variant in the wanted colour may have. */
  colourNames: readonly string[];
  /** For screen readers: the product, and the keys. */
  alt: string;
  keys: string;
  /** Share of the file loaded, 0 to 1. */
  onProgress: (share: number) => void;
  /** `isInColour`: the file has a variant for the colour, and it is shown. */
  onReady: (isInColour: boolean) => void;
  onFailure: () => void;
}

/** Light, camera and gestures; in AR the model has its true size. */
const LOOK = {
  'camera-controls': '',
  'camera-orbit': '28deg 76deg auto',
  'min-camera-orbit': 'auto auto 40%',
  'max-camera-orbit': 'auto 100deg auto',
  'field-of-view': '26deg',
  'disable-pan': '',
  'interaction-prompt': 'none',
  'touch-action': 'none',
  'shadow-intensity': '0.8',
  'shadow-softness': '0.9',
  exposure: '0.95',
  loading: 'eager',
  reveal: 'auto',
  ar: '',
  'ar-modes': 'webxr scene-viewer quick-look',
  'ar-scale': 'fixed',
};

/** Creates the viewer element. `button`, if shown, opens AR. */
export function makeViewer(
  { src, colourNames, alt, keys, onProgress, onReady, onFailure }: Shown,
  button: HTMLElement,
): ModelViewerElement {
  const viewer = new ModelViewerElement();
  for (const [name, value] of Object.entries(LOOK)) viewer.setAttribute(name, value);
  viewer.className = 'block size-full';
  button.slot = 'ar-button';
  viewer.append(button);
  // The first progress value is the viewer's own part, complete before the file starts to load.
  let ownShare: number | undefined;
  viewer.addEventListener('progress', (event) => {
    const { totalProgress } = (event as Event as CustomEvent<{ totalProgress: number }>).detail;
    ownShare ??= Math.min(totalProgress, 0.99);
    onProgress((totalProgress - ownShare) / (1 - ownShare));
  });
  viewer.addEventListener('load', () => {
    const variant = viewer.availableVariants.find((name) => colourNames.includes(name.toLowerCase()));
    if (!variant) return onReady(false);
    viewer.addEventListener('variant-applied', () => onReady(true), { once: true });
    viewer.variantName = variant;
  });
  viewer.addEventListener('error', onFailure);
  viewer.alt = alt;
  // Replaces the viewer's own prompt, which does not mention zoom.
  viewer.a11y = JSON.stringify({ 'interaction-prompt': keys });
  viewer.src = src;
  return viewer;
}
