import { shopTime } from '#contract/market/shop-time.ts';
import { STAFF_EVENTS, type StaffEvent } from '#contract/settings/staff-events.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { SHOP } from '#server/gateways/mail-signature.ts';
import { mailOf } from './layout.ts';

export interface StaffLine {
  event: StaffEvent;
  text: string;
  /** The page of the back office that shows it. */
  path: string;
  at: string;
}

/** Lines of one mail; the rest is counted. */
const MOST_LINES = 50;

/** Merges equal lines into one: `… (3 times)`. */
function merged(lines: readonly StaffLine[]): StaffLine[] {
  const groups = new Map<string, StaffLine[]>();
  for (const line of lines) {
    const key = `${line.path} ${line.text}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].flatMap(([line, ...more]) =>
    line ? [{ ...line, text: more.length > 0 ? `${line.text} (${more.length + 1} times)` : line.text }] : [],
  );
}

/** `3 × New order, 1 × Low stock`, in the order of the settings. */
function countsOf(lines: readonly StaffLine[]): string {
  const events = Object.keys(STAFF_EVENTS) as StaffEvent[];
  const counts = events.map((event) => [lines.filter((line) => line.event === event).length, STAFF_EVENTS[event]] as const);
  return counts.flatMap(([count, label]) => (count > 0 ? [`${count} × ${label}`] : [])).join(', ');
}

/** One mail to a member of staff with all notices that are due. */
export function staffMail(to: string, lines: readonly StaffLine[], publicUrl: string): Mail {
  const mergedLines = merged(lines);
  const [first] = mergedLines;
  const leftOut = mergedLines.length - MOST_LINES;
  const subject = first && mergedLines.length === 1 ? first.text : countsOf(lines);
  return mailOf({
    to,
    subject,
    preheader: countsOf(lines),
    greeting: 'Hello,',
    paragraphs: [`This has happened at ${SHOP}:`],
    links: mergedLines.slice(0, MOST_LINES).map(({ text, path, at }) => ({ label: `${shopTime(at)} ${text}`, url: publicUrl + path })),
    link: { label: 'Open the order list', url: `${publicUrl}/admin/orderlist` },
    closing: leftOut > 0 ? [`And ${leftOut} more, shown in the back office.`] : [],
    reason: `Your address is among the staff notices of ${SHOP}. An administrator can change that in the shop settings.`,
  });
}
