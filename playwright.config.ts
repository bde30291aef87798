import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const browser = await findBrowser();

/** What a test needs of the width of the screen, or of touch, is tagged @phone and runs on both; the rest runs once. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: '.cache/e2e.json' }]],
  outputDir: '.cache/e2e-results',
  use: {
    launchOptions: {
      executablePath: browser.executablePath,
      env: { ...(process.env as Record<string, string>), ...browser.env },
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'off',
    // Movement is decoration: what is tested is what stands at its end.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'phone',
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
