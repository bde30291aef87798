import { useContext } from 'react';
import { companyOf } from '#contract/settings/company-of.ts';
import { paletteOf } from '#contract/settings/palette.ts';
import type { SectionName, ShopSettings } from '#contract/settings/sections.schema.ts';
import { SetCompanyContext } from '#web/state/store.ts';

/** Shows what was saved on the present page at once: the name, the logo and the colours. */
export function useSavedLook() {
  const setCompany = useContext(SetCompanyContext);
  return (section: SectionName, values: Record<string, unknown>) => {
    setCompany((company) => companyOf(company, { [section]: values }));
    if (section !== 'shop') return;
    for (const [name, colour] of Object.entries(paletteOf(values as ShopSettings['shop'])))
      document.documentElement.style.setProperty(name, colour);
  };
}
