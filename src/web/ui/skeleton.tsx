/** Grey placeholders after 300 ms, with one name for screen readers. */
export function Skeleton({
  label,
  shapes = ['h-10 w-2/3', 'h-5 w-full', 'h-5 w-5/6', 'h-40 w-full'],
}: {
  label: string;
  shapes?: string[];
}) {
  return (
    <div role="status" aria-label={label} className="skeleton grid gap-4 noscript:hidden">
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never change places.
        <div key={index} className={`rounded-soft bg-stage ${shape}`} />
      ))}
    </div>
  );
}
