import { shopTime } from '#contract/market/shop-time.ts';
import type { Change } from '#contract/platform/lists.schema.ts';

export function Changes({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return null;
  return (
    <section className="mt-8 print:hidden">
      <h2 className="mb-3">Changes</h2>
      <ul className="grid gap-1 text-sm">
        {changes.map(({ at, actor, change }) => (
          <li key={at + change}>
            <time dateTime={at}>{shopTime(at)}</time>, {actor}: {change}
          </li>
        ))}
      </ul>
    </section>
  );
}
