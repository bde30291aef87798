import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import { type PageReply, ROOT_ID, STATE_ID } from '#contract/page.ts';
import { scriptSafeJson } from '#contract/platform/script-json.ts';
import { paletteCss } from '#contract/settings/palette.ts';
import { escapeHtml } from '#server/platform/markup.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Assets } from './assets.ts';

type Look = Pick<Config, 'isSandbox' | 'colours' | 'favicon' | 'picturesUrl'>;

/** A line above the rendered page: outside of it, so that it covers nothing and stays while screens change. */
const lineAbove = (name: string, text: string): string =>
  text && `<aside class="line-above" aria-label="${name}">${escapeHtml(text)}</aside>`;

/** The owner's favicon, or the shop's own. */
const iconOf = ({ favicon, picturesUrl }: Look) =>
  favicon
    ? `<link rel="icon" href="${shownUrl(picturesUrl ?? '', markUrl(favicon))}" type="image/png">`
    : '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';

/** The owner's colours as CSS; empty if they are those of the style sheet. */
function paletteIn({ colours }: Look): string {
  const palette = paletteCss(colours);
  return palette && `<style>:root{${palette}}</style>`;
}

/** A page without script that says the shop is busy and reloads itself. */
export function waitingDocument({ styles }: Assets, look: Look, seconds: number): string {
  return [
    '<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>We’re very busy</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="${seconds}">`,
    `<link rel="stylesheet" href="${styles}">${paletteIn(look)}${iconOf(look)}</head><body>`,
    '<main class="container-page grid justify-items-center gap-4 py-section text-center"><h1>We’re very busy right now</h1>',
    `<p role="status" class="max-w-prose text-soft">This page will try again by itself in ${seconds} seconds. Orders and payments continue as usual.</p>`,
    '<a href="" class="btn btn-primary">Try again now</a></main></body></html>',
  ].join('');
}

/**
 * The HTML document around a rendered page. One inline script loads the others after the first paint; the page is readable without them.
 * It reads their URLs from `data-then` and `data-report`, and `data-later` marks what is not hydrated yet (`web/start.ts`).
 * The state is a JSON data block. The sandbox line and the owner's notice come first.
 */
export function documentOf(page: PageReply, assets: Assets, look: Look & { notice: string }): string {
  const { isSandbox, notice } = look;
  const fonts = assets.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`);
  const laterScripts = [assets.entry, ...assets.chunksOf(page.modules)].join(' ');
  return [
    '<!doctype html><html lang="en-GB"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    page.head,
    ...fonts,
    `<link rel="stylesheet" href="${assets.styles}">`,
    paletteIn(look),
    `<script type="module" data-then="${laterScripts}" data-report="${assets.report}">${assets.start}</script>`,
    iconOf(look),
    '</head><body>',
    lineAbove('Payment sandbox', isSandbox ? 'Payment sandbox: nothing is charged' : ''),
    lineAbove('Notice', notice),
    `<div id="${ROOT_ID}" data-later>${page.body}</div>`,
    `<script type="application/json" id="${STATE_ID}">${scriptSafeJson(page.state)}</script>`,
    '</body></html>',
  ].join('');
}
