import type { Form, JsonText } from '#contract/platform/endpoint.ts';

/**
 * A multipart body: a list becomes several parts with one name, undefined is left out. An empty list becomes one empty part, because a missing
 * part would mean "no change".
 */
export function formOf<Fields extends object>(fields: Fields): FormData & Form<Fields> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const parts = Array.isArray(value) && value.length === 0 ? [''] : [value].flat();
    for (const part of parts) if (part !== undefined) form.append(name, part instanceof Blob ? part : String(part));
  }
  return form;
}

/** A field of a form whose text is JSON. */
export const jsonText = <Value>(value: Value) => JSON.stringify(value) as JsonText<Value>;
