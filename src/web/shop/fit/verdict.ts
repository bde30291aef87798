import { CLEARANCE, STANDARD_DOOR_HEIGHT } from '#contract/catalogue/doors.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import {
  type Box,
  type Carrying,
  type Outer,
  type Piece,
  SIDE_WORDS,
  SIDES,
  type Space,
  spaceVerdict,
  spares,
  type Verdict,
} from './dimensions.ts';
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
const PHOTO = 'Send us a photo and we’ll say for sure.';
const ASK_US = `We checked it as one closed box with its legs on, and don’t know what comes off or whether it arrives in parts. ${PHOTO}`;

function hasAllSides(outer: Outer): outer is Box {
  return SIDES.every((side) => outer[side] !== null);
}
const grown = ({ width, depth, height }: Box): Box => ({ width: width + CLEARANCE, depth: depth + CLEARANCE, height: height + CLEARANCE });

/** Describes an orientation. "On end": the longest side points up. */
export function wayText({ up, ahead, tilt }: Way, box: Box): string {
  const isWidthLongest = box.width === Math.max(box.width, box.depth, box.height);
  const end = { width: isWidthLongest ? 'one end' : 'one side', depth: 'its back', height: 'its top' }[ahead];
  if (tilt === 'leaning') return `tilted along the diagonal, ${end} first`;
  const held = { height: 'upright', depth: 'on its back', width: isWidthLongest ? 'on end' : 'on its side' }[up];
  return tilt === 'diagonal' ? `${held}, diagonally across the floor` : `${held}, ${end} first`;
}

/** A door, a lift or a corner. */
interface Passage {
  place: Finding['place'];
  passes: (box: Box) => Way | undefined;
  /** "goes through" */
  verb: string;
  /** The end of the sentence, with what this way leaves: ", with 5 cm to spare in width and 100 cm in height.", and any advice. */
  leaves: (box: Box, way: Way) => string;
  /** By how much it is too large on a straight way, each under its word, such as `wider`. */
  lacks: (box: Box, way: Way) => Record<string, number>;
  /** "than your door" */
  than: string;
}

/** Verdict for a passage, with the way. First tries the box grown by the clearance. */
function judged(box: Box, passes: Passage['passes']): { verdict: 'fits' | 'tight' | 'help'; way?: Way | undefined } {
  const easy = passes(grown(box));
  if (easy) return { verdict: 'fits', way: easy };
  const way = passes(box);
  return way ? { verdict: 'tight', way } : { verdict: 'help' };
}

/** The straight way with the smallest excess, and its excesses with their words. */
function leastLack(box: Box, lacksOf: Passage['lacks']) {
  const ways = straightWays(box).map((way) => ({ way, lacks: Object.entries(lacksOf(box, way)).filter(([, lack]) => lack > 0) }));
  const worst = ({ lacks }: (typeof ways)[number]) => Math.max(...lacks.map(([, lack]) => lack));
  return ways.reduce((best, other) => (worst(other) < worst(best) ? other : best));
}

/** The excess in words, such as "8 cm wider and 2 cm higher". */
const excess = (lacks: [string, number][], unit: LengthUnit) => list(lacks.map(([name, lack]) => `${lackText(lack, unit)} ${name}`));
/** What a space lacks in words, such as "4 cm too wide and 2 cm too deep". */
const tooLarge = (lacks: [keyof Box, number][], unit: LengthUnit) =>
  list(lacks.map(([name, lack]) => `${lackText(lack, unit)} too ${SIDE_WORDS[name]}`));

/** "It goes through with its legs off (4 screws), ", "It arrives in 3 boxes. The largest goes through " */
function startText(verb: string, carrying: Carrying | undefined): string {
  if (!carrying) return `It ${verb} `;
  if (carrying.off) return `It ${verb} with its ${carrying.off}, `;
  return carrying.boxes === 1 ? `It arrives in a box, which ${verb} ` : `It arrives in ${carrying.boxes} boxes. The largest ${verb} `;
}

/** Why no way was found, and what to do about it. */
function helpText(box: Box, carrying: Carrying | undefined, { lacks: lacksOf, than }: Passage, unit: LengthUnit): string {
  const { way, lacks } = leastLack(box, lacksOf);
  const larger = `it is ${excess(lacks, unit)} than your ${than}`;
  if (!carrying) return `Held ${wayText(way, box)}, ${larger}. ${ASK_US}`;
  if (carrying.off) return `With its ${carrying.off} and held ${wayText(way, box)}, ${larger}. ${PHOTO}`;
  const boxes = carrying.boxes === 1 ? 'a box' : `${carrying.boxes} boxes, the largest`;
  const numbers = SIDES.map((side) => lengthText(box[side], unit).replace(` ${unit}`, '')).join(' × ');
  return `It arrives in ${boxes} of ${numbers} ${unit}. Held ${wayText(way, box)}, ${larger}. ${PHOTO}`;
}

/** How a piece gets through a passage: in its boxes if it arrives in boxes, whole if it fits easily, else with legs or other parts off. */
function passageFinding({ outer, carrying }: Piece, passage: Passage, unit: LengthUnit): Finding {
  const { place, passes, verb, leaves } = passage;
  const whole = hasAllSides(outer) && !carrying?.boxes ? [{ box: outer as Box, carrying: undefined }] : [];
  const forms = [...whole, ...(carrying ? [{ box: carrying as Box, carrying }] : [])];
  const tried = forms.map((form) => ({ ...form, ...judged(form.box, passes) }));
  const best = tried.find(({ verdict }) => verdict === 'fits') ?? tried.find(({ verdict }) => verdict === 'tight') ?? tried.at(-1);
  if (!best) {
    const missing = list(SIDES.filter((side) => outer[side] === null));
    return { place, verdict: 'unknown', text: `We don’t know its ${missing}. Please ask us.` };
  }
  const { box, verdict, way } = best;
  if (!way) return { place, verdict, text: helpText(box, best.carrying, passage, unit) };
  const warning = verdict === 'tight' ? ` ${MEASURE_AGAIN}` : '';
  return { place, verdict, text: `${startText(verb, best.carrying)}${wayText(way, box)}${leaves(box, way)}${warning}` };
}

function throughDoor(door: Opening, unit: LengthUnit): Passage {
  return {
    place: 'door',
    passes: (box) => throughOpening(box, door),
    verb: 'goes through',
    leaves: (box, way) => {
      if (way.tilt === 'leaning') {
        const [longer, shorter] = [Math.max(door.width, door.height), Math.min(door.width, door.height)];
        const needs = tiltedHeight(box[way.up], box[across(way)], longer) ?? shorter;
        return `: held like that, it needs ${lackText(needs, unit)} of the ${lengthText(shorter, unit)}. It takes two people, and room in front of the door.`;
      }
      const spare = [door.width - box[across(way)], door.height - box[way.up]].map((length) => spareText(length, unit));
      return `, with ${spare[0]} to spare in width and ${spare[1]} in height.`;
    },
    lacks: (box, way) => ({ wider: box[across(way)] - door.width, higher: box[way.up] - door.height }),
    than: 'door',
  };
}

/** A piece whose seller knows the smallest door goes through every larger one of standard height, however it has to be turned. */
function doorFinding(piece: Piece, door: Opening, unit: LengthUnit): Finding {
  const finding = passageFinding(piece, throughDoor(door, unit), unit);
  const smallest = piece.door;
  const isKnown = smallest && smallest <= door.width && door.height >= STANDARD_DOOR_HEIGHT;
  if (finding.verdict === 'fits' || !isKnown) return finding;
  return { place: 'door', verdict: 'fits', text: `It goes through doors from ${lengthText(smallest, unit)} wide.` };
}

const intoLift = (lift: Cabin): Passage => ({
  place: 'lift',
  passes: (box) => intoCabin(box, lift),
  verb: 'goes in',
  leaves: () => '. Check the lift’s door as well.',
  lacks: (box, way) => ({
    wider: box[across(way)] - lift.width,
    deeper: box[way.ahead] - lift.depth,
    higher: box[way.up] - lift.height,
  }),
  than: 'lift',
});

const aroundCorner = (corner: Corner, unit: LengthUnit): Passage => ({
  place: 'corner',
  passes: (box) => roundCorner(box, corner),
  verb: 'goes round',
  leaves: (box, way) =>
    `, with ${spareText(spareAtCorner(box[way.ahead], box[across(way)], corner), unit)} to spare where it is narrowest.`,
  lacks: (box, way) => ({
    wider: -spareAtCorner(box[way.ahead], box[across(way)], corner),
    higher: box[way.up] - corner.height,
  }),
  than: 'corner',
});

function spaceFinding(outer: Outer, space: Space, unit: LengthUnit): Finding {
  const verdict = spaceVerdict(outer, space);
  const place = 'space';
  const knownSides = spares(outer, space).flatMap(({ name, spare }) => (spare === undefined ? [] : [{ name, spare }]));
  if (verdict === 'no') {
    const lacks = knownSides.filter(({ spare }) => spare < 0).map(({ name, spare }): [keyof Box, number] => [name, -spare]);
    const turned: Outer = { ...outer, width: outer.depth, depth: outer.width };
    const isFloorMeasured = space.width !== undefined && space.depth !== undefined;
    const fitsTurned = isFloorMeasured && ['fits', 'tight'].includes(spaceVerdict(turned, space));
    const hint = fitsTurned ? ' Turned sideways, it fits.' : '';
    return { place, verdict, text: `It is ${tooLarge(lacks, unit)} for your space.${hint}` };
  }
  const spareList = list(knownSides.map(({ name, spare }) => `${spareText(spare, unit)} in ${name}`));
  if (verdict === 'unknown') {
    const missing = list(SIDES.filter((name) => space[name] !== undefined && outer[name] === null));
    const otherwise = spareList ? ` Otherwise there is ${spareList} to spare.` : '';
    return { place, verdict, text: `We don’t know its ${missing}. Please ask us.${otherwise}` };
  }
  return { place, verdict, text: `It fits, with ${spareList} to spare.${verdict === 'tight' ? ` ${MEASURE_AGAIN}` : ''}` };
}

/** Verdicts for a piece by place, in the form's order. */
export function judge(piece: Piece, { space, door, lift, corner }: Measured, unit: LengthUnit): Finding[] {
  return [
    ...(space ? [spaceFinding(piece.outer, space, unit)] : []),
    ...(door ? [doorFinding(piece, door, unit)] : []),
    ...(lift ? [passageFinding(piece, intoLift(lift), unit)] : []),
    ...(corner ? [passageFinding(piece, aroundCorner(corner, unit), unit)] : []),
  ];
}
