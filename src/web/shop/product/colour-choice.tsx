import type { Colour } from '#contract/catalogue.ts';
import { colourName } from '#web/ui/colour-name.ts';

interface ColourChoiceProps {
  colors: Colour[];
  chosen: string | undefined;
  onChoose: (hexCode: string) => void;
}

/** Swatches, each with its name in words; the chosen one is named above. */
export function ColourChoice({ colors, chosen, onChoose }: ColourChoiceProps) {
  if (colors.length === 0) return null;
  return (
    <fieldset>
      <legend className="legend">Colour{chosen && <span className="font-normal">: {colourName(chosen)}</span>}</legend>
      <div className="flex flex-wrap gap-2">
        {colors.map(({ hexCode }) => (
          <label
            key={hexCode}
            className="relative flex size-target cursor-pointer items-center justify-center rounded-full border-2 border-transparent has-[:checked]:border-accent has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-accent"
            title={colourName(hexCode)}
          >
            <input
              type="radio"
              name="color"
              value={hexCode}
              className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
              checked={hexCode === chosen}
              onChange={() => onChoose(hexCode)}
            />
            <span className="sr-only">{colourName(hexCode)}</span>
            <span aria-hidden="true" className="size-8 rounded-full border border-edge" style={{ backgroundColor: hexCode }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
