import type { Room } from '#contract/catalogue/catalogue.ts';
import { Picture } from '#web/ui/picture.tsx';
import { PieceList } from './piece-list.tsx';

/** How a picture is shown: its shape, its share of the row, and `--w` and `--h`, the width and height that the spots are placed by. */
const LAYOUTS = {
  wide: {
    shape: 'aspect-3/2',
    grid: 'md:grid-cols-[3fr_2fr] [--h:calc(100cqw*2/3)] md:[--w:calc((100cqw-3rem)*0.6)] md:[--h:calc((100cqw-3rem)*0.4)]',
    sizes: '(min-width: 768px) 58vw, 100vw',
  },
  tall: {
    shape: 'aspect-4/5',
    grid: 'md:grid-cols-[2fr_3fr] [--h:calc(100cqw*1.25)] md:[--w:calc((100cqw-3rem)*0.4)] md:[--h:calc((100cqw-3rem)*0.5)]',
    sizes: '(min-width: 768px) 38vw, 100vw',
  },
};

interface RoomViewProps {
  room: Room;
  /** Ids of pieces that are not listed. */
  without?: readonly string[];
  /** The id of the heading that names the list. */
  labelledBy: string;
}

/** A furnished room with links to its pieces, and all of them for the cart. */
export function RoomView({ room: { picture, shape, words, pieces }, without = [], labelledBy }: RoomViewProps) {
  const layout = LAYOUTS[shape];
  return (
    <div className="@container">
      <div className={`relative grid items-start gap-x-12 gap-y-4 [--w:100cqw] ${layout.grid}`}>
        <Picture src={picture} alt={words} sizes={layout.sizes} shape={layout.shape} className="rounded-card" />
        <div className="self-center">
          {pieces.length > 0 && <PieceList pieces={pieces.filter(({ _id }) => !without.includes(_id))} labelledBy={labelledBy} />}
        </div>
      </div>
    </div>
  );
}
