import type { Product } from '#contract/catalogue/catalogue.ts';
import { Radio } from '#web/ui/form/radio.tsx';

interface ColourChoiceProps {
  colors: Product['colors'];
  chosen: string | undefined;
  onChoose: (hexCode: string) => void;
}

const Swatch = ({ hexCode }: { hexCode: string }) => (
  <span aria-hidden="true" className="size-8 rounded-full border border-edge" style={{ backgroundColor: hexCode }} />
);

/** Swatches, each with its name in words; the chosen one is named above. A single colour is only shown. */
export function ColourChoice({ colors, chosen, onChoose }: ColourChoiceProps) {
  const [only, second] = colors;
  if (!only) return null;
  if (!second)
    return (
      <p className="flex items-center gap-2">
        <span className="font-semibold">Colour:</span> {only.name} <Swatch hexCode={only.hexCode} />
      </p>
    );
  const chosenName = colors.find(({ hexCode }) => hexCode === chosen)?.name;
  return (
    <fieldset>
      <legend className="legend">Colour{chosenName && <span className="font-normal">: {chosenName}</span>}</legend>
      <div className="flex flex-wrap gap-2">
        {colors.map(({ hexCode, name }) => (
          <Radio
            key={hexCode}
            name="color"
            value={hexCode}
            chosen={chosen}
            onChoose={onChoose}
            look="covering"
            className="swatch"
            title={name}
          >
            <span className="sr-only">{name}</span>
            <Swatch hexCode={hexCode} />
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}
