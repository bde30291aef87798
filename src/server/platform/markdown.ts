import MarkdownIt, { type Token } from 'markdown-it';
import { isLinkable } from '#contract/settings/placeholders.ts';

/**
 * Markdown with the marks that a shopkeeper needs: headings, lists, tables, links and emphasis. Anything else, HTML included, stays the text that was
 * typed, so that the result holds no other elements and no scripts.
 */
const markdown = new MarkdownIt('zero').enable(['heading', 'list', 'table', 'link', 'emphasis', 'escape', 'entity']);
markdown.validateLink = isLinkable;

export interface Rendered {
  html: string;
  /** The headings of the second level, with their anchors. */
  sections: { id: string; heading: string }[];
}

/** The anchor of a heading: `Your rights` → `your-rights`; a second one gets a number. */
function anchorOf(heading: string, taken: Rendered['sections']): string {
  const anchor =
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'section';
  const sameCount = taken.filter(({ id }) => id === anchor || id.startsWith(`${anchor}-`)).length;
  return sameCount > 0 ? `${anchor}-${sameCount + 1}` : anchor;
}

export function renderMarkdown(text: string): Rendered {
  const tokens = markdown.parse(text, {});
  const sections: Rendered['sections'] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const heading = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const id = anchorOf(heading, sections);
    token.attrSet('id', id);
    if (token.tag === 'h2') sections.push({ id, heading });
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections };
}

/** Escapes a value, so that Markdown shows it as it is. */
export const escapeMarkdown = (value: string): string => value.replace(/[\\`*_[\]<>()#|&~]/g, '\\$&');

/** The look of each tag in a mail, whose program drops style sheets. */
type Looks = Readonly<Record<string, string>>;

/** A text of a mail in both of its parts. Links of the shop become whole URLs. */
export function renderForMail(text: string, origin: string, looks: Looks): { html: string; text: string } {
  const tokens = markdown.parse(text, {});
  const makeAbsolute = (token: Token) => {
    const href = String(token.attrGet('href') ?? '');
    if (href.startsWith('/')) token.attrSet('href', origin + href);
  };
  for (const token of tokens) {
    const look = looks[token.tag];
    if (token.nesting === 1 && look) token.attrSet('style', look);
    for (const child of token.children ?? []) {
      if (child.type !== 'link_open') continue;
      makeAbsolute(child);
      child.attrSet('style', looks.a ?? '');
    }
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), text: plainOf(tokens) };
}

/** Paragraphs with empty lines between them, lists as lines, links with their URLs. */
function plainOf(tokens: readonly Token[]): string {
  const blocks: string[] = [];
  let depth = 0;
  for (const { type, nesting, children } of tokens) {
    if (type === 'list_item_open' || type === 'list_item_close') depth += nesting;
    if (type !== 'inline') continue;
    const line = inlineText(children ?? []);
    const continuesList = depth > 0 && blocks.at(-1)?.startsWith('- ');
    if (depth === 0) blocks.push(line);
    else if (continuesList) blocks[blocks.length - 1] += `\n- ${line}`;
    else blocks.push(`- ${line}`);
  }
  return blocks.join('\n\n');
}

function inlineText(children: readonly Token[]): string {
  let href = '';
  return children
    .map((child) => {
      if (child.type === 'link_open') href = String(child.attrGet('href') ?? '');
      if (child.type === 'link_close') return ` (${href})`;
      return child.type === 'softbreak' ? '\n' : child.content;
    })
    .join('');
}
