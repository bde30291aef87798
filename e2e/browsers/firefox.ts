import puppeteer from 'puppeteer-core';
import type { Startable } from './browser.ts';
import { findProgram } from './programs.ts';

const executablePath = findProgram('firefox-esr', 'firefox');

/** Firefox, which speaks WebDriver BiDi itself. */
export const firefox: Startable = {
  name: 'Firefox',
  lacks: executablePath ? [] : ['firefox-esr'],
  async start() {
    const browser = await puppeteer.launch({ browser: 'firefox', executablePath: executablePath ?? '', headless: true });
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    return {
      name: await browser.version(),
      async open(url) {
        await page.goto(url);
      },
      run: (body, ...args) => page.evaluate(`(function () { ${body} }).apply(null, ${JSON.stringify(args)})`) as Promise<never>,
      click: (x, y) => page.mouse.click(x, y),
      async type(text) {
        for (const key of text) await (key === '\n' ? page.keyboard.press('Enter') : page.keyboard.sendCharacter(key));
      },
      close: () => browser.close(),
    };
  },
};
