import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import sharp from 'sharp';
import type { Plugin } from 'vite';

const PAGE = /docs\/guide\/[\w-]+\.md$/;

/**
 * Makes each page of `docs/guide` a module: its `title`, and its `html` with pictures as assets and links to other pages as addresses of the
 * office.
 */
export const guidePages: Plugin = {
  name: 'guide-pages',
  transform: {
    filter: { id: PAGE },
    async handler(text, id) {
      const markdown = new MarkdownIt();
      const tokens = markdown.parse(text, {});
      const pictures: string[] = [];
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const page = /^([\w-]+)\.md$/.exec(String(token.attrGet('href')))?.[1];
        if (page) token.attrSet('href', `/admin/settings?section=guide&page=${page}`);
        if (token.type !== 'image') continue;
        const source = String(token.attrGet('src'));
        const { width, height } = await sharp(join(dirname(id), source)).metadata();
        token.attrSet('src', `PICTURE ${pictures.length}`);
        token.attrSet('width', String(width));
        token.attrSet('height', String(height));
        token.attrSet('loading', 'lazy');
        pictures.push(source);
      }
      // The page's title is the screen's.
      const [, title, , ...rest] = tokens;
      const parts = markdown.renderer.render(rest, markdown.options, {}).split(/PICTURE \d+/);
      const html = parts.map((part, index) => (index === 0 ? '' : `picture${index - 1} + `) + JSON.stringify(part)).join(' + ');
      const imports = pictures.map((source, index) => `import picture${index} from ${JSON.stringify(`./${source}`)};`);
      return {
        code: `${imports.join('\n')}\nexport const title = ${JSON.stringify(title?.content)};\nexport const html = ${html};\n`,
        map: null,
      };
    },
  },
};
