import './blocked-features.ts';
import { ModelViewerElement } from '@google/model-viewer';

/** What is shown, and what hears of it. */
export interface Shown {
  src: string;
  /** For screen readers: what it is, and what the keys do. */
  alt: string;
  keys: string;
  /** The share of the file that has arrived, 0 to 1. */
  onProgress: (share: number) => void;
  onReady: () => void;
  onFailure: () => void;
}

/** Light, camera and gestures. The model stands at its true size in a room that the device shows. */
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

/** Makes the element that draws a model; `button`, where it is shown, opens the camera's view. */
export function makeViewer({ src, alt, keys, onProgress, onReady, onFailure }: Shown, button: HTMLElement): ModelViewerElement {
  const viewer = new ModelViewerElement();
  for (const [name, value] of Object.entries(LOOK)) viewer.setAttribute(name, value);
  viewer.className = 'block size-full';
  button.slot = 'ar-button';
  viewer.append(button);
  // What is told first is the viewer's own part, which is done before the file has begun to come.
  let own: number | undefined;
  viewer.addEventListener('progress', (event) => {
    const { totalProgress } = (event as Event as CustomEvent<{ totalProgress: number }>).detail;
    own ??= Math.min(totalProgress, 0.99);
    onProgress((totalProgress - own) / (1 - own));
  });
  viewer.addEventListener('load', onReady);
  viewer.addEventListener('error', onFailure);
  viewer.alt = alt;
  // Instead of the viewer's own words, which know no zoom.
  viewer.a11y = JSON.stringify({ 'interaction-prompt': keys });
  viewer.src = src;
  return viewer;
}
