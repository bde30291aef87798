import { shopTime } from '#contract/market/shop-time.ts';
import { changesOf, type SectionName } from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { Button } from '#web/ui/button.tsx';

type Saved = SettingsSection['history'][number];

export const savedText = ({ actor, at }: Saved): string => (at ? `Saved by ${actor} at ${shopTime(at)}` : 'As the shop was set up');

interface HistoryProps {
  section: SectionName;
  history: Saved[];
  /** Undefined for those who may not change settings. */
  onGoBack: ((saved: Saved) => void) | undefined;
}

/** Who saved what, newest first. */
export function History({ section, history, onGoBack }: HistoryProps) {
  if (history.length < 2) return null;
  return (
    <section aria-labelledby="history" className="mt-section">
      <h2 id="history" className="mb-3">
        History
      </h2>
      <ol className="grid gap-4">
        {history.map((saved, index) => {
          const before = history[index + 1];
          const changes = before ? changesOf(section, before.values, saved.values) : [];
          return (
            <li key={saved.version} className="grid gap-1 border-t border-line pt-3 text-sm">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <p className="font-medium">{savedText(saved)}</p>
                {index > 0 && onGoBack && (
                  <Button look="quiet" aria-label={`Go back to this: ${savedText(saved)}`} onClick={() => onGoBack(saved)}>
                    Go back to this
                  </Button>
                )}
              </div>
              {changes.map((change) => (
                <p key={change} className="break-words text-soft">
                  {change}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
