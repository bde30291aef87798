import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Bounds, CLOSE, FITS, movedBy, type Point, zoomedAt } from './zoom-view.ts';

/** Moves shorter than this (px) are taps. */
const TAP_PX = 12;
const DOUBLE_TAP_MS = 350;
const SWIPE_PX = 50;

interface Zoomable {
  /** The element that receives gestures, and the picture enlarged in it. */
  frame: RefObject<HTMLElement | null>;
  picture: RefObject<HTMLElement | null>;
  /** A swipe while not enlarged: 1 is next, -1 previous. */
  onSwipe: (step: 1 | -1) => void;
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
const middle = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** The view's state and the actions that change it. */
function useView({ frame, picture }: Pick<Zoomable, 'frame' | 'picture'>) {
  const [view, setView] = useState(FITS);
  const bounds = useCallback((): Bounds => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    const { offsetWidth = 0, offsetHeight = 0 } = picture.current ?? {};
    return { frame: { width: clientWidth, height: clientHeight }, fit: { width: offsetWidth, height: offsetHeight } };
  }, [frame, picture]);
  const zoom = useCallback((factor: number, at: Point = { x: 0, y: 0 }) => setView((now) => zoomedAt(now, factor, at, bounds())), [bounds]);
  const move = useCallback((by: Point) => setView((now) => movedBy(now, by, bounds())), [bounds]);
  const reset = useCallback(() => setView(FITS), []);
  /** Toggles between enlarged at a point and fitted. */
  const toggle = useCallback((at: Point) => setView((now) => (now.scale > 1 ? FITS : zoomedAt(now, CLOSE, at, bounds()))), [bounds]);
  return { view, zoom, move, reset, toggle };
}

/** Pointer position relative to the frame's centre. */
function placeIn(frame: Element | null, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left = 0, top = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

/** A native listener: React's wheel listeners are passive and could not stop the browser's page zoom. */
function useWheel(frame: Zoomable['frame'], zoom: ReturnType<typeof useView>['zoom']): void {
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
      // A trackpad pinch arrives as a wheel event with Control, in small steps.
      zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), placeIn(element, event));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [frame, zoom]);
}

/** Detects double taps. */
function useTaps(onDoubleTap: (at: Point) => void) {
  const last = useRef<Point & { time: number }>(undefined);
  return (at: Point) => {
    const time = performance.now();
    const isSecond = last.current && time - last.current.time < DOUBLE_TAP_MS && distance(last.current, at) < 3 * TAP_PX;
    last.current = isSecond ? undefined : { ...at, time };
    if (isSecond) onDoubleTap(at);
  };
}

/** Zoom and pan by wheel, pinch, double tap and drag. */
export function useZoom({ frame, picture, onSwipe }: Zoomable) {
  const { toggle, ...zooming } = useView({ frame, picture });
  const { view, zoom, move } = zooming;
  const fingers = useRef(new Map<number, Point>());
  /** Where a tap or a swipe began; undefined once there are two fingers. */
  const start = useRef<Point>(undefined);
  const tap = useTaps(toggle);
  useWheel(frame, zoom);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const place = placeIn(frame.current, event);
    fingers.current.set(event.pointerId, place);
    start.current = fingers.current.size === 1 ? place : undefined;
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = placeIn(frame.current, event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (!other) return move({ x: now.x - before.x, y: now.y - before.y });
    zoom(distance(now, other) / Math.max(1, distance(before, other)), middle(now, other));
    // The picture follows the middle of the two fingers, which one of them moves by half.
    move({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const from = start.current;
    if (!fingers.current.delete(event.pointerId) || !from || event.type === 'pointercancel') return;
    const to = placeIn(frame.current, event);
    const [right, down] = [to.x - from.x, to.y - from.y];
    if (Math.hypot(right, down) < TAP_PX) tap(to);
    else if (view.scale === 1 && Math.abs(right) > Math.max(SWIPE_PX, Math.abs(down))) onSwipe(right < 0 ? 1 : -1);
  };
  return { ...zooming, gestures: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp } };
}
