/** The number of pictures and the shown one; hidden from screen readers. */
export function Dots({ count, index, className = '' }: { count: number; index: number; className?: string }) {
  return (
    <div aria-hidden="true" className={`pointer-events-none flex justify-center gap-1.5 ${className}`}>
      {Array.from({ length: count }, (_, dot) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place.
        <i key={dot} className={`size-2 rounded-full border border-ink ${dot === index ? 'bg-ink' : 'bg-page'}`} />
      ))}
    </div>
  );
}
