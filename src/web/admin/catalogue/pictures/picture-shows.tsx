import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { Offered } from './picture-field.ts';

interface ChoiceProps {
  label: string;
  any: string;
  value: string | null | undefined;
  options: Offered['colours'];
  onChoose: (value: string | null) => void;
}

function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  if (options.length < 2) return null;
  const isOffered = options.some((option) => option.value === value);
  return (
    <select
      className="input px-1 text-sm"
      aria-label={label}
      value={isOffered && value ? value : ''}
      onChange={({ target }) => onChoose(target.value || null)}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  );
}

interface PictureShowsProps {
  name: string;
  shown: Shown;
  offered: Offered;
  onChange: (shown: Shown) => void;
}

/** The size and colour that a picture shows, and its description in words. Shoppers who choose that size and colour see the picture. */
export function PictureShows({ name, shown, offered: { sizes, colours }, onChange }: PictureShowsProps) {
  const hasChoices = sizes.length > 1 || colours.length > 1;
  const colour = colours.find(({ value }) => value === shown.color);
  const variant = [sizes.find((size) => size === shown.size), colour?.name].filter(Boolean).join(', ');
  return (
    <details className="text-sm">
      <summary
        className="link min-h-6 cursor-pointer"
        aria-label={`What ${name} shows: ${variant || (hasChoices ? 'any size or colour' : 'in words')}`}
      >
        {variant ? `Shows ${variant}` : hasChoices ? 'Shows any' : 'Describe'}
      </summary>
      <div className="mt-1 grid gap-1">
        <Choice
          label={`Size that ${name} shows`}
          any="Any size"
          value={shown.size}
          options={sizes.map((value) => ({ value, name: value }))}
          onChoose={(size) => onChange({ ...shown, size })}
        />
        <Choice
          label={`Colour that ${name} shows`}
          any="Any colour"
          value={shown.color}
          options={colours}
          onChoose={(color) => onChange({ ...shown, color })}
        />
        <textarea
          className="input min-h-16 px-1 text-sm"
          aria-label={`What ${name} shows, in words`}
          placeholder="In words, for people who cannot see it"
          maxLength={200}
          value={shown.text ?? ''}
          onChange={({ target }) => onChange({ ...shown, text: target.value || null })}
        />
      </div>
    </details>
  );
}
