import { type ComponentProps, useId } from 'react';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Field } from '#web/ui/form/field.tsx';

const sameLetters = (text: string) => text.toLowerCase().replace(/s$|[^a-z0-9]/g, '');

/** Takes an existing category or a new one. The hint only asks about a new one, and suggests one with nearly the same letters. */
export function CategoryField({ value, onChange, ...field }: ComponentProps<typeof Field> & { value: string }) {
  const list = useId();
  const { value: categories = [] } = useLoaded('GET /api/office/categories', {});
  const typed = value.trim();
  const isNew = categories.length > 0 && typed !== '' && !categories.includes(typed);
  const near = isNew ? categories.find((category) => sameLetters(category) === sameLetters(typed)) : undefined;
  return (
    <>
      <Field
        {...field}
        value={value}
        onChange={onChange}
        list={list}
        hint={
          isNew &&
          (near ? `Did you mean “${near}”? “${typed}” would be a new category.` : `“${typed}” is a new category. Is that what you want?`)
        }
      />
      <datalist id={list}>
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
    </>
  );
}
