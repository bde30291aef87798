import { type MouseEvent, useContext } from 'react';
import { pictureAt } from '#contract/catalogue/pictures.ts';
import { spotsIn } from '#contract/catalogue/rooms.ts';
import { Field } from '#web/ui/form/field.tsx';
import { PicturesContext } from '#web/ui/picture.tsx';
import type { Row } from './rows-field.tsx';

interface SpotsFieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  /** The row that has the picture and its shape. */
  row: Row;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** ` (20, 45)` after the last name. */
const PLACE_AT_END = /\s*\(\s*[\d.]+\s*,\s*[\d.]+\s*\)$/;

/** Pieces with their places in the row's picture. A click on the picture sets the place of the last piece. */
export function SpotsField({ id, label, hint, row, value, error, onChange }: SpotsFieldProps) {
  const from = useContext(PicturesContext);
  const place = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height].map((share) => Math.round(share * 100));
    const typed = value.trim().replace(/,$/, '');
    onChange(typed === '' ? value : `${typed.replace(PLACE_AT_END, '')} (${x}, ${y})`);
  };
  return (
    <div className="grid gap-3 sm:col-span-2">
      <Field id={id} label={label} hint={hint} required value={value} error={error} onChange={({ target }) => onChange(target.value)} />
      {row.picture && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: places can be typed.
        // biome-ignore lint/a11y/noStaticElementInteractions: as above.
        <div className="relative max-w-xl cursor-crosshair overflow-clip" onClick={place}>
          <img
            src={pictureAt(from, row.picture, 960)}
            alt=""
            className={`w-full rounded-soft object-cover ${row.shape === 'tall' ? 'aspect-4/5' : 'aspect-3/2'}`}
          />
          {spotsIn(value)?.map(({ name, x, y }) => (
            <span
              key={`${name} ${x} ${y}`}
              aria-hidden="true"
              className="-translate-1/2 absolute max-w-40 truncate rounded-soft bg-page px-1.5 text-sm shadow"
              style={{ left: `${x}%`, top: `${y}%` }}
            >
              {name}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
