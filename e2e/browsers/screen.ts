import { setTimeout } from 'node:timers/promises';
import type { Browser } from './browser.ts';

/** As long as a person would wait on a slow machine. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** What a person can press or fill in, as CSS selectors. */
const KINDS = { link: 'a[href]', button: 'button', field: 'input, select, textarea', choice: 'label:has(input[type=radio])' } as const;
type Kind = keyof typeof KINDS;

/** Runs in the page: what a thing is called. */
const NAME_OF = `const nameOf = (element) =>
    (element.getAttribute('aria-label') || (element.labels && element.labels[0] ? element.labels[0].textContent : element.textContent) || '')
      .replace(/\\s+/g, ' ').trim();`;

/**
 * Runs in the page: the middle of the first thing of a kind that has this name, can be seen, is not disabled and has nothing over it. A page of
 * the shop counts once its scripts have started.
 */
const FIND = `
  const [selector, pattern, isShop] = arguments;
  if (isShop && !('ready' in document.documentElement.dataset)) return null;
  const wanted = new RegExp(pattern);
  ${NAME_OF}
  for (const element of document.querySelectorAll(selector)) {
    if (!wanted.test(nameOf(element)) || element.disabled) continue;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const place = { x: left + width / 2, y: top + height / 2 };
    const over = document.elementFromPoint(place.x, place.y);
    if (width > 0 && height > 0 && over && (element.contains(over) || over.contains(element))) return place;
  }
  return null;
`;

const HAS_CARET = `${NAME_OF} return new RegExp(arguments[0]).test(nameOf(document.activeElement));`;
const SEE = 'return document.body.innerText.includes(arguments[0]);';
const WHERE = 'return location.href + " says: " + document.body.innerText.slice(0, 400).replace(/\\s+/g, " ");';

interface Place {
  x: number;
  y: number;
}

/** The shop as somebody uses it: by what can be seen, with mouse and keyboard. */
export class Screen {
  readonly #browser: Browser;
  readonly #shop: string;

  constructor(browser: Browser, shop: string) {
    this.#browser = browser;
    this.#shop = shop;
  }

  open(path: string): Promise<void> {
    return this.#browser.open(this.#shop + path);
  }

  /** Waits until something holds; throws what is missing, and what is there instead. */
  async #until<T>(look: () => Promise<T | null | false>, what: string): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      // A page that is just being left cannot be looked at.
      const found = await look().catch(() => null);
      if (found) return found;
      if (Date.now() > end) throw new Error(`${what} is missing. ${await this.#browser.run<string>(WHERE)}`);
      await setTimeout(LOOK_AGAIN_MS);
    }
  }

  /** Where something is, once it stays there: what moves cannot be clicked. */
  async #find(kind: Kind, name: RegExp): Promise<Place> {
    let before: Place | null = null;
    return this.#until(async () => {
      const isShop = await this.#browser.run<boolean>('return location.href.startsWith(arguments[0]);', this.#shop);
      const place: Place | null = await this.#browser.run<Place | null>(FIND, KINDS[kind], name.source, isShop);
      const isStill = place !== null && place.x === before?.x && place.y === before.y;
      before = place;
      return isStill && place;
    }, `The ${kind} ${name.source}`);
  }

  async press(kind: Kind, name: RegExp): Promise<void> {
    const { x, y } = await this.#find(kind, name);
    await this.#browser.click(x, y);
  }

  async fill(fields: [name: RegExp, text: string][]): Promise<void> {
    for (const [name, text] of fields) {
      await this.press('field', name);
      // As a person does, who looks where the caret is before typing.
      await this.#until(() => this.#browser.run<boolean>(HAS_CARET, name.source), `The caret in ${name.source}`);
      await this.#browser.type(text);
    }
  }

  async see(...texts: string[]): Promise<void> {
    for (const text of texts) await this.#until(() => this.#browser.run<boolean>(SEE, text), `“${text}”`);
  }
}
