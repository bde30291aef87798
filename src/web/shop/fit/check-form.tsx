import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Radio } from '#web/ui/form/radio.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { isFilled, type LengthField, measuredOf, PLACES, type Place, type Typed, typedOf, wrongIn } from './check-fields.ts';
import { keptMeasurements } from './stored-measurements.ts';

type FormState = ReturnType<typeof useForm<Typed>>;

function LengthInput({ form, name, label }: { form: FormState; name: LengthField; label: string }) {
  const { error, id, ...control } = form.bind(name);
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm">
        {label}
      </label>
      <input
        {...control}
        id={id}
        className="input"
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${name}-error`}
      />
    </div>
  );
}

/** One place: its fields side by side, errors below. */
function PlaceFields({ form, place }: { form: FormState; place: Place }) {
  const fields = Object.entries(PLACES[place].fields) as [LengthField, string][];
  return (
    <div className="grid grid-cols-3 items-end gap-x-3">
      {fields.map(([name, label]) => (
        <LengthInput key={name} form={form} name={name} label={label} />
      ))}
      {fields.map(
        ([name]) =>
          form.errors[name] && (
            <p key={name} id={`${name}-error`} className="wrong col-span-full">
              {form.errors[name]}
            </p>
          ),
      )}
    </div>
  );
}

/** A rarely needed place, collapsed until it has a value. It stays open when the value is deleted, since somebody is typing there. */
function MorePlace({ form, place, children }: { form: FormState; place: Place; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const hasValue = isFilled(form.fields, place);
  useLayoutEffect(() => {
    if (hasValue && details.current) details.current.open = true;
  }, [hasValue]);
  return (
    <details ref={details}>
      <summary className="py-2.5 font-semibold">{PLACES[place].title}</summary>
      <fieldset className="pb-3">
        <legend className="sr-only">{PLACES[place].title}</legend>
        <p className="hint mb-2">{children}</p>
        <PlaceFields form={form} place={place} />
      </fieldset>
    </details>
  );
}

function UnitChoice({ form }: { form: FormState }) {
  return (
    <fieldset className="flex flex-wrap items-center gap-x-5">
      <legend className="float-left mr-5 font-semibold">I measured in</legend>
      {[
        ['cm', 'centimetres'],
        ['in', 'inches'],
      ].map(([unit = '', words]) => (
        <Radio
          key={unit}
          name="unit"
          value={unit}
          chosen={form.fields.unit}
          onChoose={() => form.change({ unit })}
          className="flex min-h-target items-center gap-2"
        >
          {words}
        </Radio>
      ))}
    </fieldset>
  );
}

interface CheckFormProps {
  isKept: boolean;
  onChecked: () => void;
}

/** The visitor's measurements, kept in this browser after each successful check. */
export function CheckForm({ isKept, onChecked }: CheckFormProps) {
  const { fields, change } = useFields(typedOf(keptMeasurements.read()?.texts));
  const form = useForm<Typed>({
    fields,
    change,
    check: wrongIn,
    async send(typed) {
      // In millimetres, for the list's filters and the badges on cards.
      const { space, door } = measuredOf(typed);
      keptMeasurements.write({ texts: typed, space, door: door?.width });
      onChecked();
    },
  });
  const forget = () => {
    keptMeasurements.write(undefined);
    form.change(typedOf());
  };
  return (
    <Form form={form} className="grid gap-4">
      <p className="text-soft">Fill in what you have measured. It stays in this browser.</p>
      <UnitChoice form={form} />
      {(['door', 'space'] as const).map((place) => (
        <fieldset key={place}>
          <legend className="legend">{PLACES[place].title}</legend>
          {place === 'door' && <p className="hint mb-2">Its width is enough for a first answer: a standard door is 198 cm (78 in) high.</p>}
          <PlaceFields form={form} place={place} />
        </fieldset>
      ))}
      <div>
        <MorePlace form={form} place="lift">
          The lift’s door counts as a door: type it above if it is the narrowest.
        </MorePlace>
        <MorePlace form={form} place="corner">
          Measure between the walls, handrails or banisters.
        </MorePlace>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Check</Button>
        {isKept && (
          <Button look="quiet" onClick={forget}>
            Clear my measurements
          </Button>
        )}
      </div>
    </Form>
  );
}
