import { useContext } from 'react';
import { companyOf } from '#contract/settings/company-of.ts';
import { accentProblem, DEFAULT_COLOURS, darkProblem, paletteOf } from '#contract/settings/palette.ts';
import type { SectionName, ShopSettings } from '#contract/settings/sections.schema.ts';
import { Footer } from '#web/layout/footer.tsx';
import { Wordmark } from '#web/layout/wordmark.tsx';
import { CompanyContext } from '#web/state/store.ts';
import { DeliveryPreview } from './delivery-preview.tsx';
import { InvoicePreview } from './invoice-preview.tsx';

interface PreviewProps {
  section: SectionName;
  values: ShopSettings[SectionName];
}

/** The typed colours, with the default instead of one that is not valid. */
const coloursOf = ({ dark, accent }: ShopSettings['shop']) => ({
  dark: darkProblem(dark) ? DEFAULT_COLOURS.dark : dark,
  accent: accentProblem(accent) ? DEFAULT_COLOURS.accent : accent,
});

/** The head and foot of every page with the typed values, made smaller. */
function EveryPage({ section, values }: PreviewProps) {
  const company = companyOf(useContext(CompanyContext), { [section]: values });
  const style = section === 'shop' ? paletteOf(coloursOf(values as ShopSettings['shop'])) : {};
  return (
    <>
      <p className="hint">The top and the bottom of every page. Customers see it once you have saved.</p>
      <div inert className="overflow-hidden rounded-card border border-line bg-page" style={{ ...style, zoom: 0.6 }}>
        <CompanyContext value={company}>
          <div className="flex min-h-16 items-center gap-6 border-b border-line px-6">
            <Wordmark />
            <span className="btn btn-primary ml-auto">Add to cart</span>
            <span className="text-clay">Only 2 left</span>
          </div>
          <Footer />
        </CompanyContext>
      </div>
    </>
  );
}

/** The typed values of a section as customers will see them. */
export function Preview({ section, values }: PreviewProps) {
  return (
    <section aria-labelledby="preview" className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h2 id="preview">Preview</h2>
      {section === 'delivery' ? (
        <DeliveryPreview values={values as ShopSettings['delivery']} />
      ) : (
        <>
          <EveryPage section={section} values={values} />
          {section === 'company' && <InvoicePreview values={values as ShopSettings['company']} />}
        </>
      )}
    </section>
  );
}
