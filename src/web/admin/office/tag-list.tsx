import { Choice } from '#web/admin/list-tools.tsx';
import { useLoaded } from '#web/state/use-loaded.ts';

/** Tags in a row of a list. Those about the customer have another frame, and say so aloud. */
export function TagList({ tags, customerTags = [] }: { tags: readonly string[]; customerTags?: readonly string[] }) {
  if (tags.length + customerTags.length === 0) return null;
  return (
    <span className="flex max-w-48 flex-wrap gap-1 max-md:justify-end">
      {tags.map((tag) => (
        <span key={`order ${tag}`} className="rounded-soft bg-accent-tint px-1.5 text-sm wrap-anywhere">
          {tag}
        </span>
      ))}
      {customerTags.map((tag) => (
        <span key={`customer ${tag}`} className="rounded-soft px-1.5 text-sm wrap-anywhere outline -outline-offset-1 outline-edge">
          <span className="sr-only">Customer: </span>
          {tag}
        </span>
      ))}
    </span>
  );
}

/** A list's filter by tag; renders nothing while no tags exist. */
export function TagChoice({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const { value: known } = useLoaded('GET /api/office/tags', {});
  const tags = known?.tags ?? [];
  if (tags.length === 0 && !value) return null;
  const all = value && !tags.some((tag) => tag.toLowerCase() === value.toLowerCase()) ? [value, ...tags] : tags;
  return <Choice label="Tag" value={value} options={[['', 'All'], ...all.map((tag) => [tag, tag] as const)]} onChange={onChange} />;
}

/** What a field for a tag suggests: the tags that there are. */
export function KnownTags({ id }: { id: string }) {
  const { value: known } = useLoaded('GET /api/office/tags', {});
  return (
    <datalist id={id}>
      {known?.tags.map((tag) => (
        <option key={tag} value={tag} />
      ))}
    </datalist>
  );
}
