import { useEffect, useState } from 'react';
import type { Room } from '#contract/catalogue/catalogue.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Picture } from '#web/ui/picture.tsx';
import { RoomView } from './room-view.tsx';

export interface RoomsProps {
  title: string;
  /** Styled as a section of the home page or a category, not of a product or a cart. */
  isLarge?: boolean;
  rooms: readonly Room[];
  /** Ids of pieces that are not listed. */
  without?: readonly string[];
}

/** Rooms with their pieces: those that the server's page lacks are loaded. After a failure, choosing another room (`at`) tries again. */
function useWholeRooms(rooms: readonly Room[], at: number): readonly Room[] {
  const dispatch = useAppDispatch();
  const [all, setAll] = useState<Room[]>([]);
  const isWhole = all.length > 0 || rooms.every(({ pieces }) => pieces.length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room is another try
  useEffect(() => {
    if (!isWhole) dispatch(request('GET /api/products/rooms', { query: {} })).then(setAll, () => undefined);
  }, [dispatch, isWhole, at]);
  return rooms.map((room) => (room.pieces.length > 0 ? room : (all.find(({ picture }) => picture === room.picture) ?? room)));
}

/** Rooms to shop, one at a time. The choice stands above the room, so that it stays where it is. */
export function Rooms({ title, isLarge = false, rooms: known, without }: RoomsProps) {
  const [at, setAt] = useState(0);
  const rooms = useWholeRooms(known, at);
  const room = rooms[at] ?? rooms[0];
  if (!room) return null;
  return (
    <section aria-labelledby="room" className="grid grid-cols-1 gap-4">
      <h2 id="room" className={isLarge ? 'text-title' : ''}>
        {title}
      </h2>
      {rooms.length > 1 && (
        <ul aria-label="Rooms" className="relative -mx-1 flex gap-3 overflow-x-auto p-1 noscript:hidden">
          {rooms.map(({ picture, words }, index) => (
            <li key={picture} className="w-24 flex-none sm:w-32">
              <button
                type="button"
                aria-pressed={index === at}
                aria-label={words}
                onClick={() => setAt(index)}
                className="block w-full overflow-hidden rounded-soft border-3 border-transparent aria-pressed:border-accent"
              >
                <Picture src={picture} alt="" sizes="8rem" most={160} shape="aspect-3/2" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <RoomView key={room.picture} room={room} without={without} labelledBy="room" />
    </section>
  );
}
