import { type Outer, SIDES, type Side } from './dimensions.ts';
import { lengthText } from './lengths.ts';

/** Height of the person, in centimetres like all lengths here. */
const PERSON = 170;
const PERSON_WIDTH = 46;

interface View {
  /** Caption below the view. */
  name: string;
  x: number;
  width: number;
  height: number;
  /** The sides labelled along its bottom and its left. */
  across: Side;
  up: Side;
}

interface Plan {
  views: View[];
  person: number | undefined;
  width: number;
  /** Height above the floor; captions are below it. */
  height: number;
  font: number;
}

/** Layout: front and side views on the floor beside a person, or the top view if the height is unknown, as for rugs. */
function planOf({ width, depth, height }: Outer): Plan | undefined {
  const [w, d, h] = [width, depth, height].map((side) => (side ?? 0) / 10) as [number, number, number];
  const wanted: Omit<View, 'x'>[] = [];
  if (w && h) wanted.push({ name: 'Front', width: w, height: h, across: 'width', up: 'height' });
  if (d && h) wanted.push({ name: 'Side', width: d, height: h, across: 'depth', up: 'height' });
  if (w && d && !h) wanted.push({ name: 'From above', width: w, height: d, across: 'width', up: 'depth' });
  if (wanted.length === 0) return undefined;
  const drawn = wanted.reduce((sum, view) => sum + view.width, h ? PERSON_WIDTH : 0);
  // The font is 1/30 of the drawing's width, so text keeps its size on screen. Gaps and margins are in font sizes.
  const gaps = 4 + 3.5 * wanted.length;
  const font = drawn / (30 - gaps);
  let x = 4 * font;
  const views = wanted.map((view) => {
    const placed = { ...view, x };
    x += view.width + 3.5 * font;
    return placed;
  });
  return { views, person: h ? x - font : undefined, width: drawn + gaps * font, height: Math.max(h ? PERSON : d, h), font };
}

const SMALL = { vectorEffect: 'non-scaling-stroke', stroke: 'currentColor', fill: 'none' } as const;

/** One view with its width below; the first view of a height also shows it on the left. */
function ViewDrawing({ view, outer, floor, font, isFirst }: { view: View; outer: Outer; floor: number; font: number; isFirst: boolean }) {
  const { x, width, height, name, across, up } = view;
  const [left, top, below] = [x - font, floor - height, floor + font];
  const tick = font / 3;
  const say = (side: Side) => lengthText(outer[side] ?? 0, 'cm');
  return (
    <g>
      <rect
        x={x}
        y={top}
        width={width}
        height={height}
        rx={Math.min(2, width / 8, height / 8)}
        {...SMALL}
        strokeWidth={1.5}
        fill="currentColor"
        fillOpacity={0.1}
      />
      <path d={`M${x} ${below}h${width}M${x} ${below - tick}v${2 * tick}M${x + width} ${below - tick}v${2 * tick}`} {...SMALL} />
      <text x={x + width / 2} y={floor + 2.6 * font} textAnchor="middle">
        {say(across)}
      </text>
      <text x={x + width / 2} y={floor + 4 * font} textAnchor="middle">
        {name}
      </text>
      {isFirst && (
        <>
          <path d={`M${left} ${top}v${height}M${left - tick} ${top}h${2 * tick}M${left - tick} ${floor}h${2 * tick}`} {...SMALL} />
          <text textAnchor="middle" transform={`translate(${left - font} ${floor - height / 2}) rotate(-90)`}>
            {say(up)}
          </text>
        </>
      )}
    </g>
  );
}

/** A person 170 cm high and 46 cm wide, drawn upwards from the floor. */
const BODY =
  'M23-148c-9 0-17 4-19 10l-4 52c0 5 7 6 8 1l5-36 1 40-3 78c0 5 9 5 10 0l2-70 2 70c1 5 10 5 10 0l-3-78 1-40 5 36c1 5 8 4 8-1l-4-52c-2-6-10-10-19-10z';

function Person({ x, floor, font }: { x: number; floor: number; font: number }) {
  return (
    <g transform={`translate(${x} ${floor})`}>
      <circle cx={23} cy={-159.5} r={10.5} fill="currentColor" fillOpacity={0.25} />
      <path d={BODY} fill="currentColor" fillOpacity={0.25} />
      <text x={23} y={2.6 * font} textAnchor="middle">
        {PERSON} cm
      </text>
    </g>
  );
}

/** Dimensions in words, in both units: "224 cm (88.2 in) wide, 92 cm (36.2 in) deep". */
export function outerText(outer: Outer): string {
  const words = { width: 'wide', depth: 'deep', height: 'high' };
  const known = SIDES.flatMap((side) => {
    const length = outer[side];
    return length === null ? [] : [`${lengthText(length, 'cm')} (${lengthText(length, 'in')}) ${words[side]}`];
  });
  return known.join(', ');
}

/** A sentence naming the unknown dimensions; undefined if all are known. */
export function missingText(outer: Outer): string | undefined {
  const missing = SIDES.filter((side) => outer[side] === null);
  return missing.length > 0 ? `Its ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not given.` : undefined;
}

/** The piece to scale beside a person, with its dimensions. Renders nothing if too few are known. */
export function Drawing({ outer, name }: { outer: Outer; name: string }) {
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
      <path d={`M0 ${floor}H${width}`} {...SMALL} strokeOpacity={0.5} />
      {views.map((view, index) => (
        <ViewDrawing key={view.name} view={view} outer={outer} floor={floor} font={font} isFirst={index === 0} />
      ))}
      {person !== undefined && <Person x={person} floor={floor} font={font} />}
    </svg>
  );
}
