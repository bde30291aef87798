import { Link } from 'react-router';
import { Scene, type Source } from './scene.tsx';
import { BENCH, CHAIR, LAMP, SOFA, TABLE, WARDROBE } from './scenes.ts';

/** The two categories from specification §2, beside those that the search offers. */
const LARGE = [
  { category: 'Wardrobe', source: WARDROBE },
  { category: 'Sofa', source: SOFA },
];
const SMALL = [
  { category: 'Chair', source: CHAIR },
  { category: 'Lamp', source: LAMP },
  { category: 'Bench', source: BENCH },
  { category: 'Table', source: TABLE },
];

interface TilesProps {
  tiles: { category: string; source: Source }[];
  sizes: string;
  className: string;
}

function Tiles({ tiles, sizes, className }: TilesProps) {
  return (
    <ul className={`grid gap-4 sm:gap-6 ${className}`}>
      {tiles.map(({ category, source }) => (
        <li key={category}>
          <Link to={`/shop?query=${category}`} className="group relative block overflow-hidden rounded-card bg-stage">
            <Scene
              source={source}
              alt=""
              sizes={sizes}
              width={960}
              height={1200}
              className="aspect-[6/7] w-full object-cover transition-transform duration-500 ease-calm group-hover:scale-102"
            />
            <span className="absolute top-4 left-4 rounded-soft bg-page px-4 py-2 font-display text-heading">{category}</span>
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
