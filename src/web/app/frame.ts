import type { Company } from '#contract/market/company.ts';
import { FOOTER_CLASS } from '#web/layout/footer.tsx';
import { HEADER_CLASS } from '#web/layout/header.tsx';
import { currentLink } from '#web/layout/links.ts';

type Address = Parameters<typeof currentLink>[0];

/** What stands in the header and in the footer, as React takes it. */
type Frame = Record<'header' | 'footer', { __html: string }>;

const frames = new WeakMap<Company, Map<string, Frame>>();
let current: Frame | undefined;

/** Nothing differs from page to page but the link that is marked as the current one, and from year to year the line of the copyright. */
const keyOf = (address: Address) => `${currentLink(address)} ${new Date().getFullYear()}`;

/** What stands inside an element; nothing where the page has none, as when a page of its own tells of an error. */
function inside(markup: string, tag: string, className: string): { __html: string } | undefined {
  const opening = `<${tag} class="${className}">`;
  const start = markup.indexOf(opening);
  return start < 0 ? undefined : { __html: markup.slice(start + opening.length, markup.indexOf(`</${tag}>`, start)) };
}

/**
 * Renders a page with the header and the footer that an earlier page of the same company wrote, and keeps those of the first:
 * drawing them anew took a sixth of a product page's drawing. Only on the server, where no visitor is known.
 */
export function drawFramed(company: Company, address: Address, draw: () => string): string {
  const ours = frames.get(company) ?? new Map<string, Frame>();
  frames.set(company, ours);
  const key = keyOf(address);
  current = ours.get(key);
  const markup = draw();
  if (current) return markup;
  const header = inside(markup, 'header', HEADER_CLASS);
  const footer = inside(markup, 'footer', FOOTER_CLASS);
  if (header && footer) ours.set(key, { header, footer });
  return markup;
}

/** The frame of the page that is being rendered; undefined where it is still to be drawn. */
export const frameOfPage = (): Frame | undefined => current;
