import { colourDifference, type Lab, labOf } from './colour-difference.ts';

/** The families that colours are filtered by. */
export const COLOUR_FAMILIES = [
  'white',
  'beige',
  'grey',
  'black',
  'brown',
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
] as const;
export type ColourFamily = (typeof COLOUR_FAMILIES)[number];

/** What a shop calls the colours of furniture: a name, the families in which people look for it, and examples of it. */
const COLOURS: readonly [name: string, families: readonly ColourFamily[], ...examples: string[]][] = [
  ['White', ['white'], '#ffffff'],
  ['Cream', ['white', 'beige'], '#f3ecdd'],
  ['Off-white', ['white'], '#e1dacd', '#ecebe7'],
  ['Ivory', ['white', 'beige'], '#cfc6b8'],
  ['Travertine', ['beige', 'white'], '#e3d6c0'],
  ['Linen', ['beige', 'white'], '#d6ccbb'],
  ['Beige', ['beige'], '#cdbfa8'],
  ['Sand', ['beige'], '#b8aa95'],
  ['Oatmeal', ['beige', 'grey'], '#b3aa9e'],
  ['Stone', ['beige', 'grey'], '#a39987'],
  ['Taupe', ['brown', 'grey'], '#857769'],
  ['Ash', ['beige'], '#dbc8a6'],
  ['Oak', ['brown', 'beige'], '#c4a478'],
  ['Pine', ['brown', 'yellow'], '#d9b074'],
  ['Teak', ['brown'], '#a1703f'],
  ['Walnut', ['brown'], '#6f5241'],
  ['Tan', ['brown'], '#86543c', '#a3714f'],
  ['Chestnut', ['brown'], '#5e3a28'],
  ['Espresso', ['brown', 'black'], '#3f3430'],
  ['Russet', ['red', 'orange'], '#934f38'],
  ['Terracotta', ['orange', 'red'], '#a15b3e', '#bf6a4a'],
  ['Brick', ['red'], '#9c3b30'],
  ['Red', ['red'], '#c4122f', '#f01818'],
  ['Burgundy', ['red'], '#6b2130'],
  ['Orange', ['orange'], '#f07f24', '#ff9d3c'],
  ['Copper', ['orange', 'brown'], '#b46a3a'],
  ['Apricot', ['orange'], '#f0b48c'],
  ['Brass', ['yellow'], '#c9a765'],
  ['Ochre', ['yellow', 'brown'], '#b8862f'],
  ['Mustard', ['yellow'], '#d6a52c'],
  ['Yellow', ['yellow'], '#f6d645', '#ffff00'],
  ['Butter', ['yellow', 'beige'], '#f2e3ae'],
  ['Moss', ['green'], '#47503b'],
  ['Olive', ['green'], '#565a48', '#7c7a3c'],
  ['Sage', ['green', 'grey'], '#8f917e', '#a7b39a'],
  ['Spruce', ['green', 'grey'], '#4b5650'],
  ['Forest', ['green'], '#23402f'],
  ['Emerald', ['green'], '#1f7f58'],
  ['Green', ['green'], '#3f9a3c', '#1ecb1e'],
  ['Lime', ['green', 'yellow'], '#a9cc3c'],
  ['Mint', ['green'], '#bfe2cb'],
  ['Teal', ['green', 'blue'], '#1f6f72'],
  ['Turquoise', ['blue', 'green'], '#43b8b8', '#30e0e0'],
  ['Sky', ['blue'], '#a9cbe3'],
  ['Denim', ['blue'], '#7d8ca3', '#5a7693'],
  ['Blue', ['blue'], '#2f62b0', '#2040e0'],
  ['Navy', ['blue'], '#1f2f4d', '#101060'],
  ['Lilac', ['purple'], '#bfa9d2'],
  ['Violet', ['purple'], '#7a4fc0', '#a020f0', '#54148c'],
  ['Plum', ['purple'], '#5d3552'],
  ['Fuchsia', ['pink', 'purple'], '#d0307f', '#f030e8'],
  ['Rose', ['pink'], '#c08a86', '#e27a92'],
  ['Pink', ['pink'], '#f3a9bd'],
  ['Blush', ['pink'], '#e6c8c0'],
  ['Light grey', ['grey'], '#c9c9c9', '#dadada'],
  ['Grey', ['grey'], '#929292'],
  ['Slate', ['grey'], '#5c646b', '#37474f', '#6f7d8a'],
  ['Charcoal', ['grey', 'black'], '#4a4a4a'],
  ['Black', ['black'], '#000000', '#232323', '#38342f'],
];

/** A colour in words. */
export interface NamedColour {
  name: string;
  families: readonly ColourFamily[];
}

const EXAMPLES = COLOURS.flatMap(([name, families, ...examples]) =>
  examples.map((hex) => ({ colour: { name, families } satisfies NamedColour, lab: labOf(hex) as Lab })),
);

/** The size of the cache: a shop uses few colours, and each costs a comparison with every example. */
const MAX_CACHED = 1_000;
const cached = new Map<string, NamedColour>();

function nearest(lab: Lab): NamedColour {
  const distances = EXAMPLES.map(({ colour, lab: example }) => ({ colour, distance: colourDifference(lab, example) }));
  return distances.reduce((best, other) => (other.distance < best.distance ? other : best)).colour;
}

/** A colour that was typed in words keeps them; its families are those that the words name. */
function colourFromWords(text: string): NamedColour {
  const words = text.toLowerCase().replace(/gray/g, 'grey');
  const says = (word: string) => new RegExp(`\\b${word.toLowerCase()}\\b`).test(words);
  const named = COLOURS.filter(([name]) => says(name)).flatMap(([, families]) => families);
  const families = COLOUR_FAMILIES.filter((family) => says(family) || named.includes(family));
  return { name: text, families };
}

/**
 * What people call a colour: `#c4a478` is oak. The name is that of the nearest example in a space where distances are what an eye sees
 * (CIEDE2000), and the families are the name's, so that "Sage" is always found among the greens. A text that is no hex code names itself.
 */
export function namedColour(value: string): NamedColour {
  const found = cached.get(value);
  if (found) return found;
  const lab = labOf(value);
  const colour = lab ? nearest(lab) : colourFromWords(value);
  if (cached.size < MAX_CACHED) cached.set(value, colour);
  return colour;
}

/** The name that the shop has given a colour beside its value; empty if both fields have the value (specification §3). */
export const ownColourName = ({ colorName, hexCode }: { colorName: string; hexCode: string }): string =>
  colorName === hexCode || labOf(colorName) ? '' : colorName;

/** A product's colour in words: the shop's name, or else what people call its value, and the families of the value. */
export function colourInWords(colour: { colorName: string; hexCode: string }): NamedColour {
  const derived = namedColour(colour.hexCode);
  return { ...derived, name: ownColourName(colour) || derived.name };
}

export const colourName = (colour: { colorName: string; hexCode: string }): string => colourInWords(colour).name;

/** The name of a line's colour: the shop's own, else the usual name of its hex code; null if none was chosen. */
export const colourNameOf = (value: string | null | undefined, own: string | null | undefined): string | null =>
  value ? own || namedColour(value).name : null;
