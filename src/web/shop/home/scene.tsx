/** A picture of a room, in the widths and formats that scripts/scenes.mjs made. */
export interface Source {
  avif: [url: string, width: number][];
  /** For browsers that do not know AVIF. */
  webp: string;
}

interface SceneProps {
  source: Source;
  /** Another crop for narrow screens. */
  narrow?: Source;
  alt: string;
  sizes: string;
  width: number;
  height: number;
  priority?: boolean;
  className: string;
}

const setOf = (entries: Source['avif']) => entries.map(([url, width]) => `${url} ${width}w`).join(', ');
const NARROW = '(max-width: 767px)';

export function Scene({ source, narrow, alt, sizes, width, height, priority = false, className }: SceneProps) {
  const loading = priority ? ({ fetchPriority: 'high', loading: 'eager' } as const) : ({ loading: 'lazy' } as const);
  return (
    <picture className="contents">
      {narrow && <source type="image/avif" media={NARROW} srcSet={setOf(narrow.avif)} sizes={sizes} />}
      {narrow && <source type="image/webp" media={NARROW} srcSet={narrow.webp} />}
      <source type="image/avif" srcSet={setOf(source.avif)} sizes={sizes} />
      <img src={source.webp} alt={alt} width={width} height={height} className={className} {...loading} />
    </picture>
  );
}
