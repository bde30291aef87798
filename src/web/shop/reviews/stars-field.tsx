import { Radio } from '#web/ui/form/radio.tsx';
import { starsStyle } from '#web/ui/stars.tsx';

interface StarsFieldProps {
  /** `1` to `5`, or empty. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

const WORDS = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'];

/** One to five stars as radio buttons. */
export function StarsField({ value, error, onChange }: StarsFieldProps) {
  return (
    <fieldset id="rating" tabIndex={-1} aria-describedby={error && 'rating-error'}>
      <legend className="legend">Your rating</legend>
      <div className="flex flex-wrap items-center gap-x-4">
        <span className="flex">
          {WORDS.map((words, index) => (
            <Radio
              key={words}
              name="rating"
              value={String(index + 1)}
              chosen={value}
              onChoose={onChange}
              look="covering"
              title={words}
              isInvalid={error !== undefined}
              className="relative flex size-target cursor-pointer items-center justify-center rounded-full has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-accent"
            >
              <span className="sr-only">
                {index === 0 ? '1 star' : `${index + 1} stars`}, {words.toLowerCase()}
              </span>
              <i aria-hidden="true" className="stars w-4 scale-150" style={starsStyle(index < Number(value) ? 2 : 0)} />
            </Radio>
          ))}
        </span>
        <span aria-hidden="true">{WORDS[Number(value) - 1]}</span>
      </div>
      {error && (
        <p id="rating-error" className="wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}
