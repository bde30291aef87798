import { lengthsOf } from '#contract/catalogue/measurement.ts';

/** Marks a sentence about care. */
const CARE =
  /\b(?:wipe|wash(?:es|able)?|hand-?wash|vacuum|dust (?:it|the|with)|oil (?:it|the|once)|brush (?:it|the|lightly)|dry clean(?:ed)?|polish|wax|blot|dishwasher|mist it|rub(?:bing)?|renewed)\b/i;

/** The sentences of a description about care. */
function careIn(description: string): string[] {
  return (description.match(/[^.!?\n]+[.!?]*/g) ?? []).map((sentence) => sentence.trim()).filter((sentence) => CARE.test(sentence));
}

const ADVICE: readonly [materials: RegExp, advice: string][] = [
  [
    /^(?:Oak|Walnut|Ash|Beech|Birch|Cherry|Elm|Pine|Teak|Maple|Acacia|Mango|Bamboo|Plywood)$/,
    'Wood: dust with a soft dry cloth, wipe spills at once, and keep it out of strong sun and away from radiators.',
  ],
  [
    /^(?:Velvet|Wool|Cotton|Tweed|Chenille|Canvas|Silk|Bouclé|Corduroy|Linen|Sheepskin)$/,
    'Fabric: vacuum gently with a soft brush, and blot spills at once without rubbing.',
  ],
  [/^Leather$/, 'Leather: wipe with a dry cloth, and keep it out of strong sun.'],
  [/^(?:Rattan|Jute|Paper cord)$/, 'Woven parts: dust with a soft brush, and keep them dry.'],
  [
    /^(?:Marble|Travertine|Slate|Granite|Terrazzo|Concrete)$/,
    'Stone: wipe with a damp cloth, and keep acids such as lemon and vinegar off it.',
  ],
  [/^(?:Glass|Stoneware|Porcelain|Terracotta|Ceramic)$/, 'Glass and ceramics: wipe with a damp cloth.'],
  [/^(?:Brass|Copper|Pewter|Chrome|Bronze|Steel|Iron|Aluminium)$/, 'Metal: wipe with a soft dry cloth.'],
];

/** General advice for materials. */
function adviceFor(materials: readonly string[]): string[] {
  return ADVICE.filter(([pattern]) => materials.some((material) => pattern.test(material))).map(([, advice]) => advice);
}

/** Care instructions: the shop's own, else those of the description, else general advice for the materials. */
export function careOf({
  careText,
  description,
  materials,
}: {
  careText: string;
  description: string;
  materials: readonly string[];
}): string[] {
  const own = careText
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (own.length > 0) return own;
  const described = careIn(description);
  return described.length > 0 ? described : adviceFor(materials);
}

const MM_PER_INCH = 25.4;

/** At most one decimal: 88.19 → `88.2`, 88.0 → `88`. */
const short = (value: number) => String(Number(value.toFixed(1)));

/** Adds a length in centimetres and inches to a measurement; other measurements stay as typed. A number without a unit is in centimetres (§2). */
export function inBothUnits<M extends { name: string; value: string }>(typed: M): M & { cm?: string; inches?: string } {
  const lengths = lengthsOf(typed.name, String(typed.value));
  if (!lengths) return typed;
  const inUnit = (unit: number) => lengths.map((mm) => short(mm / unit)).join(' × ');
  return { ...typed, cm: `${inUnit(10)} cm`, inches: `${inUnit(MM_PER_INCH)} in` };
}
