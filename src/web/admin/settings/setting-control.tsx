import type { ChangeEvent } from 'react';
import type { z } from 'zod';
import { metaOf } from '#contract/settings/sections.schema.ts';
import { Field, Select } from '#web/ui/form/field.tsx';

interface ControlProps {
  schema: z.ZodType;
  id: string;
  name?: string;
  value: string;
  error?: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
  onBlur?: () => void;
}

/** The control of a field of a section, or of a column of its rows. */
export function SettingControl({ schema, ...field }: ControlProps) {
  const { label, hint, type, unit, options } = metaOf(schema);
  if (options) return <Select label={label} hint={hint} required options={options} {...field} />;
  const required = !schema.safeParse('').success;
  const control = { label: unit ? `${label} (${unit})` : label, hint, required, ...field };
  if (type !== 'color') return <Field type={type ?? 'text'} {...control} />;
  return (
    <div className="grid grid-cols-[1fr_auto] items-start gap-3">
      <Field {...control} />
      <input
        type="color"
        aria-label={`Pick the ${label.toLowerCase()}`}
        className="mt-8 h-11 w-14 cursor-pointer rounded-soft border border-edge bg-paper p-1"
        value={/^#[\da-f]{6}$/i.test(field.value) ? field.value.toLowerCase() : '#000000'}
        onChange={field.onChange}
      />
    </div>
  );
}
