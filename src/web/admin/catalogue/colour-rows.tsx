import { namedColour } from '#contract/catalogue/colour.ts';
import { Button } from '#web/ui/button.tsx';
import { type ColourFields, NEW_COLOUR } from './product-fields.ts';

interface ColourRowProps {
  colour: ColourFields;
  /** Its place in the list, from 1. */
  place: number;
  onChange: (colour: ColourFields) => void;
  onRemove: () => void;
}

function ColourRow({ colour, place, onChange, onRemove }: ColourRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <input
        type="color"
        aria-label={`Colour ${place}`}
        value={colour.hexCode}
        className="h-11 w-16 rounded-soft border border-edge bg-paper"
        onChange={({ target }) => onChange({ ...colour, hexCode: target.value })}
      />
      <span className="w-20">{colour.hexCode}</span>
      <input
        aria-label={`Name of colour ${place} (optional)`}
        value={colour.name}
        maxLength={60}
        placeholder={namedColour(colour.hexCode).name}
        className="input w-48"
        onChange={({ target }) => onChange({ ...colour, name: target.value })}
      />
      <Button look="quiet" aria-label={`Remove colour ${place}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

interface ColourRowsProps {
  colors: ColourFields[];
  error: string | undefined;
  onChange: (colors: ColourFields[]) => void;
}

/** The colours of a product (specification §2), each with the shop's own name or the usual name of its value. */
export function ColourRows({ colors, error, onChange }: ColourRowsProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="legend">Colours</legend>
      {colors.map((colour, index) => (
        <ColourRow
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may hold the same colour while it is chosen.
          key={index}
          colour={colour}
          place={index + 1}
          onChange={(next) => onChange(colors.map((entry, other) => (other === index ? next : entry)))}
          onRemove={() => onChange(colors.filter((_, other) => other !== index))}
        />
      ))}
      {colors.length > 0 && <p className="hint">A name of your own, such as Oak or Harris tweed, replaces the grey one.</p>}
      {error && <p className="wrong">{error}</p>}
      <Button look="secondary" className="justify-self-start" onClick={() => onChange([...colors, NEW_COLOUR])}>
        Add colour
      </Button>
    </fieldset>
  );
}
