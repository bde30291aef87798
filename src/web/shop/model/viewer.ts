import { ModelViewerElement } from '@google/model-viewer';

/** What is shown, and what hears of it. */
export interface Shown {
  src: string;
  /** For screen readers. */
  alt: string;
  /** The share that has arrived, 0 to 1. */
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
export function makeViewer({ src, alt, onProgress, onReady, onFailure }: Shown, button: HTMLElement): ModelViewerElement {
  const viewer = new ModelViewerElement();
  for (const [name, value] of Object.entries(LOOK)) viewer.setAttribute(name, value);
  viewer.className = 'block size-full';
  button.slot = 'ar-button';
  viewer.append(button);
  viewer.addEventListener('progress', (event) =>
    onProgress((event as Event as CustomEvent<{ totalProgress: number }>).detail.totalProgress),
  );
  viewer.addEventListener('load', onReady);
  viewer.addEventListener('error', onFailure);
  viewer.alt = alt;
  viewer.src = src;
  return viewer;
}
