import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { type Box, type Outer, PLAY, SIDES, type Space, spaceVerdict, spares, type Verdict } from './dimensions.ts';
import { lackText, lengthText, spareText } from './lengths.ts';
import {
  across,
  type Cabin,
  type Corner,
  intoCabin,
  type Opening,
  roundCorner,
  spareAtCorner,
  straightWays,
  throughOpening,
  tiltedHeight,
  type Way,
} from './passage.ts';

/** The visitor's measurements; millimetres. */
export interface Measured {
  space?: Space | undefined;
  door?: Opening | undefined;
  lift?: Cabin | undefined;
  corner?: Corner | undefined;
}

export interface Finding {
  place: 'space' | 'door' | 'lift' | 'corner';
  verdict: Verdict;
  /** A sentence with the verdict, the clearance and how to hold the piece. */
  text: string;
}

const list = (parts: string[]) => new Intl.ListFormat('en-GB').format(parts);
const MEASURE_AGAIN = 'Please measure again before you order.';
const ASK_US =
  'We checked it as one closed box with its legs on, and do not know what comes off or whether it arrives in parts. Send us a photo and we’ll say for sure.';

function isWhole(outer: Outer): outer is Box {
  return SIDES.every((side) => outer[side] !== null);
}
const grown = ({ width, depth, height }: Box): Box => ({ width: width + PLAY, depth: depth + PLAY, height: height + PLAY });

/** Describes an orientation. "On end": the longest side points up. */
export function wayText({ up, ahead, tilt }: Way, box: Box): string {
  const longest = Math.max(box.width, box.depth, box.height);
  const end = { width: box.width === longest ? 'one end' : 'one side', depth: 'its back', height: 'its top' }[ahead];
  if (tilt === 'leaning') return `tilted along the diagonal, ${end} first`;
  const held = { height: 'upright', depth: 'on its back', width: box.width === longest ? 'on end' : 'on its side' }[up];
  return tilt === 'diagonal' ? `${held}, diagonally across the floor` : `${held}, ${end} first`;
}

/** Verdict for a passage, with the way. First tries the box grown by the clearance. */
function judged(box: Box, passes: (box: Box) => Way | undefined): { verdict: 'fits' | 'tight' | 'boxed'; way: Way | undefined } {
  const easy = passes(grown(box));
  if (easy) return { verdict: 'fits', way: easy };
  const way = passes(box);
  return { verdict: way ? 'tight' : 'boxed', way };
}

/** The straight way with the smallest excess, and its excesses by name. */
function leastLack(box: Box, lacksOf: (way: Way) => Record<string, number>) {
  const ways = straightWays(box).map((way) => ({ way, lacks: Object.entries(lacksOf(way)).filter(([, lack]) => lack > 0) }));
  const worst = ({ lacks }: (typeof ways)[number]) => Math.max(...lacks.map(([, lack]) => lack));
  return ways.reduce((best, other) => (worst(other) < worst(best) ? other : best));
}

/** The excess in words, such as "8 cm wider and 2 cm higher". */
const excess = (lacks: [string, number][], unit: LengthUnit) => list(lacks.map(([name, lack]) => `${lackText(lack, unit)} ${name}`));
const lacking = (lacks: [string, number][], unit: LengthUnit) => list(lacks.map(([name, lack]) => `${lackText(lack, unit)} in ${name}`));

function doorFinding(box: Box, door: Opening, unit: LengthUnit): Finding {
  const { verdict, way } = judged(box, (some) => throughOpening(some, door));
  const place = 'door';
  if (!way) {
    const { way: best, lacks } = leastLack(box, (some) => ({ wider: box[across(some)] - door.width, higher: box[some.up] - door.height }));
    return { place, verdict, text: `Held ${wayText(best, box)}, it is ${excess(lacks, unit)} than your door. ${ASK_US}` };
  }
  const how = `It goes through ${wayText(way, box)}`;
  const warning = verdict === 'tight' ? ` ${MEASURE_AGAIN}` : '';
  if (way.tilt === 'leaning') {
    const [longer, shorter] = [Math.max(door.width, door.height), Math.min(door.width, door.height)];
    const needs = tiltedHeight(box[way.up], box[across(way)], longer) ?? shorter;
    return {
      place,
      verdict,
      text: `${how}: held so it needs ${lackText(needs, unit)} of the ${lengthText(shorter, unit)}. It takes two people and a free run-up.${warning}`,
    };
  }
  const spare = [door.width - box[across(way)], door.height - box[way.up]].map((length) => spareText(length, unit));
  return { place, verdict, text: `${how}, with ${spare[0]} to spare in width and ${spare[1]} in height.${warning}` };
}

function liftFinding(box: Box, lift: Cabin, unit: LengthUnit): Finding {
  const { verdict, way } = judged(box, (some) => intoCabin(some, lift));
  const place = 'lift';
  if (!way) {
    const { way: best, lacks } = leastLack(box, (some) => ({
      wider: box[across(some)] - lift.width,
      deeper: box[some.ahead] - lift.depth,
      higher: box[some.up] - lift.height,
    }));
    return { place, verdict, text: `Held ${wayText(best, box)}, it is ${excess(lacks, unit)} than your lift. ${ASK_US}` };
  }
  const warning = verdict === 'tight' ? ` ${MEASURE_AGAIN}` : '';
  return { place, verdict, text: `It goes in ${wayText(way, box)}. Check the lift’s door as well.${warning}` };
}

function cornerFinding(box: Box, corner: Corner, unit: LengthUnit): Finding {
  const { verdict, way } = judged(box, (some) => roundCorner(some, corner));
  const place = 'corner';
  if (!way) {
    const { way: best, lacks } = leastLack(box, (some) => ({
      wider: -spareAtCorner(box[some.ahead], box[across(some)], corner),
      higher: box[some.up] - corner.height,
    }));
    return { place, verdict, text: `Held ${wayText(best, box)}, it is up to ${excess(lacks, unit)} than your corner. ${ASK_US}` };
  }
  const spare = spareText(spareAtCorner(box[way.ahead], box[across(way)], corner), unit);
  const warning = verdict === 'tight' ? ` ${MEASURE_AGAIN}` : '';
  return { place, verdict, text: `It goes round ${wayText(way, box)}, with ${spare} to spare where it is narrowest.${warning}` };
}

function spaceFinding(outer: Outer, space: Space, unit: LengthUnit): Finding {
  const verdict = spaceVerdict(outer, space);
  const place = 'space';
  const known = spares(outer, space).flatMap(({ name, spare }) => (spare === undefined ? [] : [{ name, spare }]));
  if (verdict === 'no') {
    const lacks = known.filter(({ spare }) => spare < 0).map(({ name, spare }): [string, number] => [name, -spare]);
    const turned: Outer = { ...outer, width: outer.depth, depth: outer.width };
    const isWholePlan = space.width !== undefined && space.depth !== undefined;
    const isTurned = isWholePlan && ['fits', 'tight'].includes(spaceVerdict(turned, space));
    const hint = isTurned ? ' Turned sideways, it fits.' : '';
    return { place, verdict, text: `It is too large: the space lacks ${lacking(lacks, unit)}.${hint}` };
  }
  const left = list(known.map(({ name, spare }) => `${spareText(spare, unit)} in ${name}`));
  if (verdict === 'unknown') {
    const missing = list(SIDES.filter((name) => space[name] !== undefined && outer[name] === null));
    const rest = left ? ` What we know leaves ${left}.` : '';
    return { place, verdict, text: `We do not know its ${missing}, so we cannot say. Ask us.${rest}` };
  }
  return { place, verdict, text: `It fits, with ${left} to spare.${verdict === 'tight' ? ` ${MEASURE_AGAIN}` : ''}` };
}

/** Verdicts for a piece by place, in the form's order. */
export function judge(outer: Outer, { space, door, lift, corner }: Measured, unit: LengthUnit): Finding[] {
  const onTheWay = (place: Finding['place'], find: (box: Box) => Finding): Finding => {
    if (isWhole(outer)) return find(outer);
    const missing = list(SIDES.filter((side) => outer[side] === null));
    return { place, verdict: 'unknown', text: `We do not know its ${missing}, so we cannot say. Ask us.` };
  };
  return [
    ...(space ? [spaceFinding(outer, space, unit)] : []),
    ...(door ? [onTheWay('door', (box) => doorFinding(box, door, unit))] : []),
    ...(lift ? [onTheWay('lift', (box) => liftFinding(box, lift, unit))] : []),
    ...(corner ? [onTheWay('corner', (box) => cornerFinding(box, corner, unit))] : []),
  ];
}
