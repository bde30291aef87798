/** Maximum number of typing errors in a word. Numbers are never corrected. */
export function errorsForgiven(word: string): number {
  if (word.length < 3 || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * The number of typing errors between two words: an extra, missing or wrong letter, or two neighbours swapped (optimal string alignment).
 * Returns `most + 1` for more than `most`.
 */
export function errorsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let rowTwoAbove: number[] = [];
  let rowAbove = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const [above = 0, left = 0, diagonal = 0] = [rowAbove[j], row[j - 1], rowAbove[j - 1]];
      const plain = Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1));
      row.push(isSwapped ? Math.min(plain, (rowTwoAbove[j - 2] ?? 0) + 1) : plain);
    }
    if (Math.min(...row) > most) return most + 1;
    rowTwoAbove = rowAbove;
    rowAbove = row;
  }
  return Math.min(rowAbove[b.length] ?? most + 1, most + 1);
}

/** The words that a mistyped one may stand for: those with the fewest errors, with the same first letter first. */
export function nearest(typed: string, words: Iterable<string>): string[] {
  const most = errorsForgiven(typed);
  if (most === 0) return [];
  const found: { word: string; errors: number; isSameStart: boolean }[] = [];
  for (const word of words) {
    // Almost anything is one error away from a word of one or two letters.
    if (word.length < 3) continue;
    const errors = errorsBetween(typed, word, most);
    if (errors <= most) found.push({ word, errors, isSameStart: word[0] === typed[0] });
  }
  const least = Math.min(...found.map(({ errors }) => errors));
  return found
    .filter(({ errors }) => errors === least)
    .sort((a, b) => Number(b.isSameStart) - Number(a.isSameStart) || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);
}
