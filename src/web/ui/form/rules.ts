import type { z } from 'zod';

/** Messages by field name. */
export type FieldErrors = Record<string, string>;

/** A form's body and validation. */
export interface Rules<F, B> {
  /** Loads the schema of the call's body: `async () => (await import('#contract/accounts/users.schema.ts')).LoginBody`. */
  schema?: () => Promise<z.ZodType>;
  /** The call's body, where it is not the fields themselves. */
  body?: (fields: F) => B;
  /** Field names by body path, where they differ. */
  names?: Readonly<Record<string, keyof F & string>>;
  /** Rules that the schema cannot know, such as the second password. They win over the schema's. */
  check?: (fields: F) => Record<string, string | false | undefined>;
}

type Validate = (body: unknown) => FieldErrors;

/** Loads a form's validator when the form is first touched, so that no page's first load carries zod. */
export async function loadValidator({ schema }: { schema?: (() => Promise<z.ZodType>) | undefined }): Promise<Validate> {
  if (!schema) return () => ({});
  const [{ wordsOf }, loaded] = await Promise.all([import('#contract/platform/validation-messages.ts'), schema()]);
  return (body) => {
    const { error } = loaded.safeParse(body);
    return error ? wordsOf(error).errors : {};
  };
}

export const bodyOf = <F, B>({ body }: Rules<F, B>, fields: F): B => (body ? body(fields) : (fields as unknown as B));

/** Errors by form field, in the order of the fields; `sizes.0.price` belongs to `sizes`. Errors of no field are dropped. */
export function errorsOf<F extends object>(errors: FieldErrors, fields: F, names: Rules<F, unknown>['names'] = {}): FieldErrors {
  const order = Object.keys(fields);
  const place = (name: string) => order.indexOf(name.split('.')[0] ?? '');
  const named = Object.entries(errors).map(([path, text]) => [names[path] ?? path, text] as const);
  return Object.fromEntries(named.filter(([name]) => place(name) >= 0).sort(([a], [b]) => place(a) - place(b)));
}

/** Validates a form. Errors of no field are left to the server, which reports them for the whole form. */
export function errorsIn<F extends object, B>(rules: Rules<F, B>, validate: Validate | undefined, fields: F): FieldErrors {
  const checked = Object.entries(rules.check?.(fields) ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return errorsOf({ ...validate?.(bodyOf(rules, fields)), ...Object.fromEntries(checked) }, fields, rules.names);
}
