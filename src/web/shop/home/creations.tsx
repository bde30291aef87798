import { useContext } from 'react';
import { HOME_TILES, type HomeTile } from '#contract/market/company.ts';
import { CompanyContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Scene, type Source } from './scene.tsx';
import { BENCH, CHAIR, LAMP, SOFA, TABLE, WARDROBE } from './scenes.ts';

interface Tile {
  tile: HomeTile;
  source: Source;
}

/** The two categories that specification §2 names. */
const LARGE: Tile[] = [
  { tile: 'wardrobe', source: WARDROBE },
  { tile: 'sofa', source: SOFA },
];
/** Categories like the popular searches. */
const SMALL: Tile[] = [
  { tile: 'chair', source: CHAIR },
  { tile: 'lamp', source: LAMP },
  { tile: 'bench', source: BENCH },
  { tile: 'table', source: TABLE },
];

interface TilesProps {
  tiles: Tile[];
  sizes: string;
  className: string;
}

const ZOOM = 'transition-[scale] duration-500 ease-calm group-hover:scale-102';

function Tiles({ tiles, sizes, className }: TilesProps) {
  const { home } = useContext(CompanyContext);
  return (
    <ul className={`grid gap-4 sm:gap-6 ${className}`}>
      {tiles.map(({ tile, source }) => (
        <li key={tile}>
          <Link to={`/shop?query=${HOME_TILES[tile]}`} className="group relative block overflow-hidden rounded-card bg-stage">
            {home[tile] ? (
              <Picture src={home[tile]} alt="" sizes={sizes} most={960} shape="aspect-[6/7]" className={ZOOM} />
            ) : (
              <Scene
                source={source}
                alt=""
                sizes={sizes}
                width={960}
                height={1200}
                className={`aspect-[6/7] w-full object-cover ${ZOOM}`}
              />
            )}
            <span className="absolute top-4 left-4 rounded-soft bg-page px-4 py-2 font-display text-heading">{HOME_TILES[tile]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Creations() {
  return (
    <section className="container-page grid gap-4 pt-section sm:gap-6">
      <h2 className="mb-2 text-title">Our Creations</h2>
      <Tiles tiles={LARGE} sizes="(min-width: 640px) 48vw, 100vw" className="sm:grid-cols-2" />
      <Tiles tiles={SMALL} sizes="(min-width: 1024px) 24vw, 48vw" className="grid-cols-2 lg:grid-cols-4" />
    </section>
  );
}
