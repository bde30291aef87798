import { useContext } from 'react';
import { type View as ModelView, shownUrl, silhouetteUrl } from '#contract/catalogue/pictures.ts';
import { PicturesContext } from '#web/ui/picture.tsx';
import { type Outer, SIDE_WORDS, SIDES, type Side } from './dimensions.ts';
import { lengthText } from './lengths.ts';

/** Height of the person, in centimetres like all lengths here. */
const PERSON = 170;
const PERSON_WIDTH = 46;

interface View {
  /** Caption below the view. */
  name: string;
  /** Which outline of the 3D model it shows, if there is a model. */
  outline?: ModelView;
  x: number;
  width: number;
  height: number;
  /** The sides labelled along its bottom and its left. */
  across: Side;
  up: Side;
}

interface Plan {
  views: View[];
  /** The person's x; undefined without a person. */
  person: number | undefined;
  width: number;
  /** Height above the floor; captions are below it. */
  height: number;
  font: number;
}

/** Layout: front and side views on the floor beside a person, or the top view if the height is unknown, as for rugs. */
function planOf({ width, depth, height }: Outer): Plan | undefined {
  const [w, d, h] = [width, depth, height].map((side) => (side ?? 0) / 10) as [number, number, number];
  const unplaced: Omit<View, 'x'>[] = [];
  if (w && h) unplaced.push({ name: 'Front', outline: 'front', width: w, height: h, across: 'width', up: 'height' });
  if (d && h) unplaced.push({ name: 'Side', outline: 'side', width: d, height: h, across: 'depth', up: 'height' });
  if (w && d && !h) unplaced.push({ name: 'From above', width: w, height: d, across: 'width', up: 'depth' });
  if (unplaced.length === 0) return undefined;
  const drawnWidth = unplaced.reduce((sum, view) => sum + view.width, h ? PERSON_WIDTH : 0);
  // The font is 1/30 of the drawing's width, so text keeps its size on screen. Gaps and margins are in font sizes. Rounded, for short numbers.
  const gaps = 4 + 3.5 * unplaced.length;
  const font = Math.round((2 * drawnWidth) / (30 - gaps)) / 2;
  let x = 4 * font;
  const views = unplaced.map((view) => {
    const placed = { ...view, x };
    x += view.width + 3.5 * font;
    return placed;
  });
  return { views, person: h ? x - font : undefined, width: drawnWidth + gaps * font, height: Math.max(h ? PERSON : d, h), font };
}

const THIN_LINE = { vectorEffect: 'non-scaling-stroke', stroke: 'currentColor', fill: 'none' } as const;

/** The outline of the piece in its box, or the box alone. */
function Shape({ view: { outline, x, width, height }, top, model }: { view: View; top: number; model: string | null }) {
  const picturesOrigin = useContext(PicturesContext);
  const box = { x, y: top, width, height };
  if (model && outline)
    return (
      <foreignObject {...box}>
        {/* An SVG's own image would not be lazy. */}
        <img src={shownUrl(picturesOrigin, silhouetteUrl(model, outline))} alt="" loading="lazy" className="block size-full" />
      </foreignObject>
    );
  return <rect {...box} rx={Math.min(2, width / 8, height / 8)} {...THIN_LINE} strokeWidth={1.5} fill="currentColor" fillOpacity={0.1} />;
}

interface ViewDrawingProps {
  view: View;
  outer: Outer;
  model: string | null;
  floor: number;
  font: number;
  isFirst: boolean;
}

/** One view with its width below; the first view of a height also shows it on the left. */
function ViewDrawing({ view, outer, model, floor, font, isFirst }: ViewDrawingProps) {
  const { x, width, height, name, across, up } = view;
  const [left, top, below] = [x - font, floor - height, floor + font];
  const tick = 0.3 * font;
  const textOf = (side: Side) => lengthText(outer[side] ?? 0, 'cm');
  return (
    <g>
      <Shape view={view} top={top} model={model} />
      <path d={`M${x} ${below}h${width}M${x} ${below - tick}v${2 * tick}M${x + width} ${below - tick}v${2 * tick}`} {...THIN_LINE} />
      <text x={x + width / 2} y={floor + 2.6 * font} textAnchor="middle">
        {textOf(across)}
      </text>
      <text x={x + width / 2} y={floor + 4 * font} textAnchor="middle">
        {name}
      </text>
      {isFirst && (
        <>
          <path d={`M${left} ${top}v${height}M${left - tick} ${top}h${2 * tick}M${left - tick} ${floor}h${2 * tick}`} {...THIN_LINE} />
          <text textAnchor="middle" transform={`translate(${left - font} ${floor - height / 2}) rotate(-90)`}>
            {textOf(up)}
          </text>
        </>
      )}
    </g>
  );
}

/** Half of a person who stands upright, from the neck down: the distances from the middle and the floor. */
const HALF_BODY =
  '0 149, 4.5 149, 5 144.5, 11 142, 17 139.5, 19.5 134, 20.5 124, 21.5 112, 22.5 98, 23 86, 22 78, 19.5 76, 19 86, 18 98, 16.5 112, 15.5 122, ' +
  '14.5 112, 14.5 102, 16 92, 16.5 82, 15 64, 12.5 48, 12.5 34, 10.5 12, 11 4, 13.5 1.5, 12.5 0, 4.5 0, 4.5 6, 4.5 30, 4 46, 2 70, 0 80';

function Person({ x, floor, font }: { x: number; floor: number; font: number }) {
  return (
    <g transform={`translate(${x + PERSON_WIDTH / 2} ${floor})`}>
      <g className="text-edge" stroke="currentColor" strokeWidth={2} strokeLinejoin="round">
        <ellipse cy={-159} rx={7.5} ry={10} />
        <polygon points={HALF_BODY} transform="scale(1 -1)" />
        <polygon points={HALF_BODY} transform="scale(-1 -1)" />
      </g>
      <text y={2.6 * font} textAnchor="middle">
        {PERSON} cm
      </text>
    </g>
  );
}

/** Dimensions in words, in both units: "224 cm (88.2 in) wide, 92 cm (36.2 in) deep". */
export function outerText(outer: Outer): string {
  const known = SIDES.flatMap((side) => {
    const length = outer[side];
    return length === null ? [] : [`${lengthText(length, 'cm')} (${lengthText(length, 'in')}) ${SIDE_WORDS[side]}`];
  });
  return known.join(', ');
}

/** A sentence naming the unknown dimensions; undefined if all are known. */
export function missingText(outer: Outer): string | undefined {
  const missing = SIDES.filter((side) => outer[side] === null);
  return missing.length > 0 ? `Its ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not given.` : undefined;
}

/** The piece to scale beside a person, with its dimensions. Renders nothing if too few are known. */
export function Drawing({ outer, name, model }: { outer: Outer; name: string; model: string | null }) {
  const plan = planOf(outer);
  if (!plan) return null;
  const { views, person, width, height, font } = plan;
  const floor = height + font;
  const beside = person === undefined ? '' : `, beside a person of ${PERSON} cm`;
  const seen = views.map((view) => view.name.toLowerCase()).join(' and ');
  return (
    <svg
      role="img"
      aria-label={`${name} drawn to scale, ${seen}${beside}: ${outerText(outer)}`}
      viewBox={`0 0 ${width.toFixed(1)} ${(floor + 4.6 * font).toFixed(1)}`}
      fontSize={font}
      fill="currentColor"
      className="w-full max-w-lg"
    >
      <path d={`M0 ${floor}H${width}`} {...THIN_LINE} strokeOpacity={0.5} />
      {views.map((view, index) => (
        <ViewDrawing key={view.name} view={view} outer={outer} model={model} floor={floor} font={font} isFirst={index === 0} />
      ))}
      {person !== undefined && <Person x={person} floor={floor} font={font} />}
    </svg>
  );
}
