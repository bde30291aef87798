import { STANDARD_DOOR_HEIGHT } from '#contract/catalogue/doors.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import type { FieldErrors } from '#web/ui/form/rules.ts';
import { lengthOf } from './lengths.ts';
import type { Measured } from './verdict.ts';

/** The form's places in order: title, the place's name at the end of a sentence, and the fields with their labels. */
export const PLACES = {
  door: { title: 'The narrowest door', suffix: ' of the door', fields: { doorWidth: 'Width', doorHeight: 'Height' } },
  space: { title: 'Your space', suffix: '', fields: { spaceWidth: 'Width', spaceDepth: 'Depth', spaceHeight: 'Height' } },
  lift: { title: 'Inside the lift', suffix: ' of the lift', fields: { liftWidth: 'Width', liftDepth: 'Depth', liftHeight: 'Height' } },
  corner: {
    title: 'A tight corner or landing',
    suffix: '',
    fields: { cornerBefore: 'Width before it', cornerAfter: 'Width after it', cornerHeight: 'Ceiling height' },
  },
} as const;
export type Place = keyof typeof PLACES;
export const placeNames = Object.keys(PLACES) as Place[];

const fieldsOf = (place: Place) => Object.entries(PLACES[place].fields) as [LengthField, string][];
type FieldsOf<P extends Place> = keyof (typeof PLACES)[P]['fields'];
export type LengthField = { [P in Place]: FieldsOf<P> }[Place];

/** The form's values as typed. */
export type Typed = Record<LengthField | 'unit', string>;

/** Form values from stored texts; missing ones are empty. */
export function typedOf(texts: Readonly<Record<string, string>> = {}): Typed {
  const names = placeNames.flatMap((place) => fieldsOf(place).map(([name]) => name));
  const typed = Object.fromEntries(names.map((name) => [name, texts[name] ?? '']));
  return { ...(typed as Record<LengthField, string>), unit: texts.unit === 'in' ? 'in' : 'cm' };
}
export const unitOf = ({ unit }: Typed): LengthUnit => (unit === 'in' ? 'in' : 'cm');

export const isFilled = (typed: Typed, place: Place): boolean => fieldsOf(place).some(([name]) => typed[name].trim() !== '');

/** What may be left out: sides of a space, and the height of a door, which is then a standard one. */
const isOptional = (name: LengthField) => name.startsWith('space') || name === 'doorHeight';

/** Validation errors by field. */
export function wrongIn(typed: Typed): FieldErrors {
  const filled = placeNames.filter((place) => isFilled(typed, place));
  if (filled.length === 0) return { spaceWidth: 'Enter what you have measured: the narrowest door, your space, or both.' };
  const example = unitOf(typed) === 'in' ? '30 or 30.5' : '76 or 76.5';
  const problemOf = (place: Place, name: LengthField, label: string): string | undefined => {
    const text = typed[name].trim();
    if (text === '') return isOptional(name) ? undefined : `Please add the ${label.toLowerCase()}${PLACES[place].suffix} too.`;
    const isLength = lengthOf(text, unitOf(typed)) !== undefined;
    return isLength ? undefined : `${label}: “${text}” is not a length up to 10 m. Enter one such as ${example}.`;
  };
  const problems = filled.flatMap((place) =>
    fieldsOf(place).flatMap(([name, label]): [string, string][] => {
      const problem = problemOf(place, name, label);
      return problem ? [[name, problem]] : [];
    }),
  );
  return Object.fromEntries(problems);
}

/** Measurements of a valid form, in millimetres. */
export function measuredOf(typed: Typed): Measured {
  const lengthIn = (name: LengthField) => lengthOf(typed[name], unitOf(typed)) ?? 0;
  const [width, depth, height] = [lengthIn('spaceWidth'), lengthIn('spaceDepth'), lengthIn('spaceHeight')];
  const space = { ...(width && { width }), ...(depth && { depth }), ...(height && { height }) };
  const all: Required<Measured> = {
    space,
    door: { width: lengthIn('doorWidth'), height: lengthIn('doorHeight') || STANDARD_DOOR_HEIGHT },
    lift: { width: lengthIn('liftWidth'), depth: lengthIn('liftDepth'), height: lengthIn('liftHeight') },
    corner: { before: lengthIn('cornerBefore'), after: lengthIn('cornerAfter'), height: lengthIn('cornerHeight') },
  };
  return Object.fromEntries(Object.entries(all).filter(([place]) => isFilled(typed, place as Place)));
}
