const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type Day = (typeof DAYS)[number];

/** Hours that a search engine reads: `10:00` to `17:30` on some days of the week. */
export interface OpeningHours {
  days: Day[];
  opens: string;
  closes: string;
}

const dayIndexOf = (word: string) => DAYS.findIndex((day) => word.length >= 3 && day.toLowerCase().startsWith(word.replace(/s$/, '')));

/** `Monday to Friday`, `Sat & Sun`, `Every day` → the days; undefined where a word is no day of the week. */
function daysOf(text: string): Day[] | undefined {
  if (/^(every day|daily|all week)$/.test(text)) return [...DAYS];
  const parts = text.split(/\s*(?:,|&|\band\b)\s*/).filter(Boolean);
  const found = parts.map((part) => {
    const [from = -1, to = from, ...more] = part.split(/\s*(?:\bto\b|[-–—])\s*/).map(dayIndexOf);
    return from < 0 || to < from || more.length > 0 ? [] : DAYS.slice(from, to + 1);
  });
  return found.length === 0 || found.some(({ length }) => length === 0) ? undefined : found.flat();
}

/** `10`, `9.30am`, `17:30`, `noon` → `10:00`, `09:30`, `17:30`, `12:00`. */
function timeOf(text: string): string | undefined {
  if (text === 'noon' || text === 'midday') return '12:00';
  const [, hours, minutes = '00', amOrPm] = /^(\d{1,2})(?:[:.](\d\d))?\s*(am|pm)?$/.exec(text) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(hours) > (amOrPm ? 12 : 23)) return undefined;
  const hour = amOrPm ? (Number(hours) % 12) + (amOrPm === 'pm' ? 12 : 0) : Number(hours);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A row of the opening hours as the owner typed it; undefined where it is closed, a date, or in words that are not understood. */
export function openingHoursOf(days: string, times: string): OpeningHours | undefined {
  const openDays = daysOf(days.trim().toLowerCase());
  const [opens, closes, ...more] = times
    .trim()
    .toLowerCase()
    .split(/\s*(?:\bto\b|[-–—])\s*/)
    .map(timeOf);
  return openDays && opens && closes && opens < closes && more.length === 0 ? { days: openDays, opens, closes } : undefined;
}
