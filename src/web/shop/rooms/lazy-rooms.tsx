import { FAR_DOWN, lazyPart } from '#web/parts/lazy-part.tsx';

/** `Rooms`, whose code is loaded when they come near. */
export const LazyRooms = lazyPart(async () => (await import('./rooms.tsx')).Rooms, FAR_DOWN);
