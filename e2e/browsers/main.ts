/**
 * `npm run browsers`: one journey through a shop of its own, in Firefox and in WebKit. Ends with a status other than 0 where one fails or is missing.
 * Playwright drives only builds of its own of both; these are the system's: Firefox by Puppeteer (WebDriver BiDi), WebKitGTK by its WebDriver.
 */
import { openShop } from '../shop.ts';
import type { Startable } from './browser.ts';
import { firefox } from './firefox.ts';
import { journey } from './journey.ts';
import { Screen } from './screen.ts';
import { webkit } from './webkit.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Whether the journey went well in a browser. */
async function passes({ name, lacks, start }: Startable): Promise<boolean> {
  if (lacks.length > 0) {
    say(`${name}: not tried, because this machine lacks it. On Debian: apt-get install ${lacks.join(' ')}`);
    return false;
  }
  const began = Date.now();
  const { shop, close } = await openShop();
  try {
    const browser = await start();
    try {
      await journey(new Screen(browser, shop.url));
      say(`${browser.name}: passed in ${Math.round((Date.now() - began) / 1000)} s`);
    } finally {
      await browser.close();
    }
    return true;
  } catch (error) {
    say(`${name}: failed. ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await close();
  }
}

for (const browser of [firefox, webkit]) if (!(await passes(browser))) process.exitCode = 1;
