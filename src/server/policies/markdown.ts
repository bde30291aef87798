import MarkdownIt from 'markdown-it';

/**
 * Markdown with the marks that a shopkeeper needs: headings, lists, tables, links and emphasis. Anything else, HTML included, stays the text that was
 * typed, so that the result holds no other elements and no scripts.
 */
const markdown = new MarkdownIt('zero').enable(['heading', 'list', 'table', 'link', 'emphasis', 'escape', 'entity']);
markdown.validateLink = (url) => /^(https:\/\/|mailto:|tel:|\/(?!\/)|#)/.test(url);

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
  const same = taken.filter(({ id }) => id === anchor || id.startsWith(`${anchor}-`)).length;
  return same > 0 ? `${anchor}-${same + 1}` : anchor;
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

/** A value as Markdown that shows it letter by letter. */
export const asMarkdown = (value: string): string => value.replace(/[\\`*_[\]<>()#|&~]/g, '\\$&');
