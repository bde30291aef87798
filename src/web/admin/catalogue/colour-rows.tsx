import { namedColour } from '#contract/catalogue/colour.ts';
import { Button } from '#web/ui/button.tsx';
import { NEW_COLOUR } from './product-fields.ts';

/** Colour values with add and remove (specification §2). */
export function ColourRows({ colors, onChange }: { colors: string[]; onChange: (colors: string[]) => void }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="legend">Colours</legend>
      {colors.map((color, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may hold the same colour while it is chosen.
        <div key={index} className="flex flex-wrap items-center gap-3">
          <input
            type="color"
            aria-label={`Colour ${index + 1}`}
            value={color}
            className="h-11 w-16 rounded-soft border border-edge bg-paper"
            onChange={({ target }) => onChange(colors.map((entry, at) => (at === index ? target.value : entry)))}
          />
          <span>
            {color}, {namedColour(color).name}
          </span>
          <Button look="quiet" aria-label={`Remove colour ${index + 1}`} onClick={() => onChange(colors.filter((_, at) => at !== index))}>
            Remove
          </Button>
        </div>
      ))}
      <Button look="secondary" className="justify-self-start" onClick={() => onChange([...colors, NEW_COLOUR])}>
        Add colour
      </Button>
    </fieldset>
  );
}
