import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Presses Tab until the control with that name has the focus, as a person does who uses no mouse. */
export async function tabTo(page: Page, name: RegExp | string, most = 80): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const snapshot = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
      const outline = element ? getComputedStyle(element).outlineStyle : 'none';
      const around = element?.closest('label') ? getComputedStyle(element.closest('label') as Element).outlineStyle : 'none';
      return { label: label.trim(), isMarked: outline !== 'none' || around !== 'none' };
    });
    if (typeof name === 'string' ? snapshot.label === name : name.test(snapshot.label)) {
      expect(snapshot.isMarked, `${snapshot.label} shows that it has the focus`).toBe(true);
      return;
    }
  }
  throw new Error(`No control named ${name} within ${most} presses of Tab.`);
}
