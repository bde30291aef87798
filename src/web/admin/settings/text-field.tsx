import type { ChangeEvent } from 'react';
import type { z } from 'zod';
import { metaOf, type SectionName } from '#contract/settings/sections.schema.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/form/field.tsx';

interface TextFieldProps {
  section: SectionName;
  schema: z.ZodType;
  id: string;
  name: string;
  value: string;
  error?: string | undefined;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
  onBlur?: () => void;
  /** Called with the default text. */
  onFillIn: (text: string) => void;
}

/** A text in Markdown, with the default text one click away. */
export function TextField({ section, schema, onFillIn, ...field }: TextFieldProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const { label, hint, warning, placeholders = {}, fallback: knownDefault } = metaOf(schema);
  // Policies have their default texts from the server; they are long.
  const isDefaultFromServer = knownDefault === undefined;
  const hasDefault = knownDefault !== '';
  const warningText = warning?.(field.value);
  const filledRows = isDefaultFromServer ? 16 : 8;
  const fillIn = () =>
    isDefaultFromServer
      ? run('fill in', async () => {
          const body = { field: field.name, value: '' };
          onFillIn((await dispatch(request('POST /api/settings/:section/preview', { params: { section }, body }))).text);
        })
      : onFillIn(knownDefault);
  return (
    <div className="grid gap-3">
      <TextArea label={label} hint={hint} rows={field.value ? filledRows : 4} {...field} error={field.error ?? (error || undefined)} />
      {warningText && <Alert>{warningText}</Alert>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {hasDefault && (
          <Button look="secondary" pending={pending !== ''} aria-label={`Fill in the default text of ${label}`} onClick={fillIn}>
            Fill in the default text
          </Button>
        )}
        {field.value === '' && <p className="hint">{hasDefault ? 'The default text is shown to customers.' : 'There is no text here.'}</p>}
      </div>
      <details className="hint">
        <summary className="cursor-pointer">How to write it</summary>
        <p className="my-2">
          ## begins a heading, - a line of a list, 1. a numbered one. **Bold**, *italic*, [contact page](/contact). Links lead to pages of
          the shop, to https:// or mailto: addresses. An empty line begins a paragraph. These are replaced:
        </p>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
          {Object.entries(placeholders).map(([name, meaning]) => (
            <div key={name} className="contents">
              <dt className="font-medium">{`{${name}}`}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
