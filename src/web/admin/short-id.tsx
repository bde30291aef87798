/** The first eight characters of an id; a press shows the rest. */
export function ShortId({ id }: { id: string }) {
  return (
    <details className="group inline-block max-w-full align-middle text-sm md:max-2xl:text-xs">
      <summary className="block max-w-[9ch] list-none truncate py-1 group-open:max-w-none group-open:whitespace-normal group-open:wrap-anywhere">
        {id}
      </summary>
    </details>
  );
}
