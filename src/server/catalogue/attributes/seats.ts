const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const COUNTED = new RegExp(`\\b(${NUMBERS.join('|')}|[1-9])[- ]?seat`);

/** The possible results of `seatsOf`. */
export const EVERY_SEATS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'corner'];

/** The number of seats that a text names, "1" to "9", or "corner"; null if it names none. */
export function seatsOf(text: string): string | null {
  const words = text.toLowerCase();
  if (/\b(corner|chaise|l[- ]shaped?)\b/.test(words)) return 'corner';
  const [, number] = COUNTED.exec(words) ?? [];
  if (number) return /\d/.test(number) ? number : String(NUMBERS.indexOf(number) + 1);
  return /\barmchairs?\b/.test(words) ? '1' : null;
}
