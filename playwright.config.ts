import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const browser = await findBrowser();
const launchOptions = {
  executablePath: browser.executablePath,
  env: { ...(process.env as Record<string, string>), ...browser.env },
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
};

/** A test is run once, on a desktop. What depends on the width of the screen is tagged @phone and runs on both, what needs fingers @touch and runs on the phone, what draws in 3D @webgl. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/shops.ts',
  fullyParallel: true,
  // One more than there are cores: a test waits for about a quarter of its time.
  workers: availableParallelism() + 1,
  // Chromium itself crashes now and then at its start. What passes only the second time is counted as flaky at the end of the run: look at it.
  retries: 1,
  // A test is ended by its time only where it hangs: a busy machine is no fault of the shop.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: '.cache/e2e.json' }]],
  outputDir: '.cache/e2e-results',
  use: {
    launchOptions,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'on-first-retry',
    // Movement is decoration: what is tested is what stands at its end.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // First, while the shops have nothing of other tests: it measures their lists.
    {
      name: 'phone',
      grep: /@phone|@touch/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
    { name: 'desktop', grepInvert: /@touch|@webgl/, use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'webgl',
      grep: /@webgl/,
      // Drawn by the processor, which makes every page slower: only where it is needed.
      use: { launchOptions: { ...launchOptions, args: [...launchOptions.args, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] } },
    },
  ],
});
