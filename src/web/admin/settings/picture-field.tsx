import { useContext, useRef } from 'react';
import { markUrl, pictureAt, shownUrl } from '#contract/catalogue/pictures.ts';
import type { PictureRule, SectionName } from '#contract/settings/sections.schema.ts';
import { formOf } from '#web/browser/form-of.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { PicturesContext } from '#web/ui/picture.tsx';

interface PictureFieldProps {
  section: SectionName;
  name: string;
  /** The field's name in the upload, if the picture is in a list: `rooms.picture`. */
  field?: string;
  label: string;
  hint?: string | undefined;
  rule: PictureRule;
  /** The picture's URL, or an empty text without a picture. */
  value: string;
  error?: string | undefined;
  onPicked: (url: string) => void;
}

/** Uploads a picture as soon as it is chosen. The shop uses it once the section is saved. */
export function PictureField({ section, name, field = name, label, hint, rule, value, error, onPicked }: PictureFieldProps) {
  const dispatch = useAppDispatch();
  const picturesOrigin = useContext(PicturesContext);
  const input = useRef<HTMLInputElement>(null);
  const { run, pending, error: uploadError } = useAction();
  const upload = (picture: File | undefined) =>
    picture &&
    run('upload', async () => {
      const body = formOf({ field, picture });
      onPicked((await dispatch(request('POST /api/settings/:section/pictures', { params: { section }, body }))).url);
    });
  const errorText = uploadError || error;
  return (
    <fieldset id={name} tabIndex={-1} className="grid justify-items-start gap-3" aria-describedby={errorText ? `${name}-wrong` : undefined}>
      <legend className="legend">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {value && (
        <img
          src={rule.isMark ? shownUrl(picturesOrigin, markUrl(value)) : pictureAt(picturesOrigin, value, 640)}
          alt={label}
          className={`${rule.isMark ? 'h-16' : 'h-40'} max-w-full rounded-soft border border-line bg-page object-contain p-1`}
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File for ${label}`}
        accept="image/png,image/webp,image/jpeg,image/avif,image/gif"
        onChange={({ target }) => {
          upload(target.files?.[0]);
          target.value = '';
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          look="secondary"
          pending={pending !== ''}
          aria-label={`Choose a picture for ${label}`}
          onClick={() => input.current?.click()}
        >
          {value ? 'Choose another picture' : 'Choose a picture'}
        </Button>
        {value && (
          <Button look="quiet" aria-label={`Remove ${label}`} onClick={() => onPicked('')}>
            Remove
          </Button>
        )}
      </div>
      {errorText && (
        <p id={`${name}-wrong`} className="wrong" role="alert">
          {errorText}
        </p>
      )}
    </fieldset>
  );
}
