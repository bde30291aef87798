import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { VariantOptions } from './picture-field.ts';

interface VariantChoiceProps {
  label: string;
  /** The label of the empty option. */
  none: string;
  value: string | null | undefined;
  options: VariantOptions['colours'];
  onChoose: (value: string | null) => void;
}

function VariantChoice({ label, none, value, options, onChoose }: VariantChoiceProps) {
  if (options.length < 2) return null;
  const isOffered = options.some((option) => option.value === value);
  return (
    <select
      className="input px-1 text-sm"
      aria-label={label}
      value={isOffered && value ? value : ''}
      onChange={({ target }) => onChoose(target.value || null)}
    >
      <option value="">{none}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  );
}

interface PictureDescriptionProps {
  name: string;
  shown: Shown;
  variants: VariantOptions;
  onChange: (shown: Shown) => void;
}

/** The size and colour that a picture shows, and its description in words. Shoppers who choose that size and colour see the picture. */
export function PictureDescription({ name, shown, variants: { sizes, colours }, onChange }: PictureDescriptionProps) {
  const hasVariants = sizes.length > 1 || colours.length > 1;
  const colour = colours.find(({ value }) => value === shown.color);
  const variant = [sizes.find((size) => size === shown.size), colour?.name].filter(Boolean).join(', ');
  return (
    <details className="text-sm">
      <summary
        className="link min-h-6 cursor-pointer"
        aria-label={`What ${name} shows: ${variant || (hasVariants ? 'any size or colour' : 'in words')}`}
      >
        {variant ? `Shows ${variant}` : hasVariants ? 'Shows any' : 'Describe'}
      </summary>
      <div className="mt-1 grid gap-1">
        <VariantChoice
          label={`Size that ${name} shows`}
          none="Any size"
          value={shown.size}
          options={sizes.map((value) => ({ value, name: value }))}
          onChoose={(size) => onChange({ ...shown, size })}
        />
        <VariantChoice
          label={`Colour that ${name} shows`}
          none="Any colour"
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
