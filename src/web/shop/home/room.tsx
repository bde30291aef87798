import { useContext } from 'react';
import { Link } from 'react-router';
import type { RoomPiece } from '#contract/catalogue/catalogue.ts';
import { priceText } from '#web/parts/price-text.ts';
import { selectRoom } from '#web/state/product-list.slice.ts';
import { MarketContext, useAppSelector } from '#web/state/store.ts';
import { Scene } from './scene.tsx';
import { ROOM } from './scenes.ts';

/** The picture is square, `--w` wide. */
const spotOf = ({ x, y }: RoomPiece) => ({ left: `calc(var(--w) * ${x / 100})`, top: `calc(var(--w) * ${y / 100})` });

/**
 * One link per piece: list entry and spot on the picture. Hovering one highlights the other; keyboard and screen readers meet each piece
 * once.
 */
function Piece({ piece }: { piece: RoomPiece }) {
  const market = useContext(MarketContext);
  return (
    <li className="border-b border-line">
      <Link to={`/product/${piece._id}`} className="group flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <span className="font-medium group-hover:underline">{piece.name}</span>
        <span>{priceText(market, piece)}</span>
        <span
          aria-hidden="true"
          className="-translate-1/2 absolute grid size-11 place-items-center rounded-full group-focus-visible:outline-3 group-focus-visible:outline-page"
          style={spotOf(piece)}
        >
          <span className="size-4 rounded-full border-4 border-page bg-accent shadow transition-transform group-hover:scale-150 group-focus-visible:scale-150" />
        </span>
      </Link>
    </li>
  );
}

/** A furnished room with links to its pieces. */
export function Room() {
  const pieces = useAppSelector(selectRoom);
  if (pieces.length === 0) return null;
  return (
    <section aria-labelledby="room" className="container-page pt-section">
      <div className="@container relative grid gap-x-12 gap-y-4 [--w:100cqw] md:grid-cols-2 md:[--w:calc(50cqw-1.5rem)]">
        <Scene
          source={ROOM}
          alt="A green velvet sofa in front of sage panelling, with an oak table and a floor lamp"
          sizes="(min-width: 768px) 48vw, 100vw"
          width={960}
          height={960}
          className="aspect-square w-full rounded-card bg-stage object-cover"
        />
        <div className="self-center">
          <h2 id="room" className="mb-2 text-title">
            Shop this room
          </h2>
          <ul aria-labelledby="room">
            {pieces.map((piece) => (
              <Piece key={piece._id} piece={piece} />
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
