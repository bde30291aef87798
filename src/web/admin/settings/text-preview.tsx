import { useState } from 'react';
import { fieldsOf, metaOf, type SectionName } from '#contract/settings/sections.schema.ts';
import { useRested } from '#web/admin/use-rested.ts';
import { useLoaded } from '#web/state/use-loaded.ts';

/** One text of a section as customers will see it. */
export function TextPreview({ section, values }: { section: SectionName; values: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries(fieldsOf(section));
  const [field, setField] = useState(fields[0]?.[0] ?? '');
  const value = useRested(values[field]);
  const { value: shown, error } = useLoaded('POST /api/settings/:section/preview', { params: { section }, body: { field, value } });
  return (
    <section aria-labelledby="preview" className="grid content-start gap-3 xl:sticky xl:top-36">
      <h2 id="preview">Preview</h2>
      <label className="grid justify-items-start gap-1">
        <span className="legend">Text</span>
        <select className="input" value={field} onChange={({ target }) => setField(target.value)}>
          {fields.map(([name, schema]) => (
            <option key={name} value={name}>
              {metaOf(schema).label}
            </option>
          ))}
        </select>
      </label>
      {error && <p className="wrong">{error}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard. */}
      <section aria-label="The text" tabIndex={0} className="max-h-[70vh] overflow-y-auto rounded-card border border-line bg-paper p-4">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made on the server from Markdown that has no HTML. */}
        <div className="prose written" dangerouslySetInnerHTML={{ __html: shown?.html ?? '' }} />
      </section>
    </section>
  );
}
