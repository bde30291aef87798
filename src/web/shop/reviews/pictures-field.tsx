import { useEffect, useMemo, useState } from 'react';

/** A chosen file, or the URL of a picture that the review has. */
export type ChosenPicture = File | string;

interface PicturesFieldProps {
  pictures: ChosenPicture[];
  most: number;
  onChange: (pictures: ChosenPicture[]) => void;
}

function usePictureUrl(picture: ChosenPicture): string {
  const objectUrl = useMemo(() => (typeof picture === 'string' ? undefined : URL.createObjectURL(picture)), [picture]);
  useEffect(() => (objectUrl ? () => URL.revokeObjectURL(objectUrl) : undefined), [objectUrl]);
  return objectUrl ?? String(picture);
}

function Preview({ picture, name, onRemove }: { picture: ChosenPicture; name: string; onRemove: () => void }) {
  return (
    <li className="w-20">
      <img
        src={usePictureUrl(picture)}
        alt={name}
        width={80}
        height={100}
        className="aspect-4/5 w-full rounded-soft bg-stage object-cover"
      />
      <button type="button" className="link min-h-6 text-sm" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  );
}

/** Pictures with previews. Those beyond the limit are named and left out. */
export function PicturesField({ pictures, most, onChange }: PicturesFieldProps) {
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const add = (files: File[]) => {
    const images = files.filter(({ type }) => type.startsWith('image/'));
    const fitting = images.slice(0, most - pictures.length);
    setLeftOut(files.filter((file) => !fitting.includes(file)).map(({ name }) => name));
    onChange([...pictures, ...fitting]);
  };
  return (
    <div className="field">
      <label htmlFor="review-pictures">
        Pictures <span className="font-normal text-soft">(optional)</span>
      </label>
      <input
        id="review-pictures"
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        multiple
        className="input"
        aria-describedby="review-pictures-hint"
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // Allows the same file to be chosen again.
          target.value = '';
        }}
      />
      <p id="review-pictures-hint" className="hint">
        Up to {most}, 10 MB each. We remove location data from your photos.
      </p>
      {leftOut.length > 0 && (
        <p role="status" className="wrong">
          At most {most} pictures can be added. Left out: {leftOut.join(', ')}
        </p>
      )}
      {pictures.length > 0 && (
        <ul aria-label="Chosen pictures" className="mt-3 flex flex-wrap gap-3">
          {pictures.map((picture, index) => {
            const name = typeof picture === 'string' ? `picture ${index + 1}` : picture.name;
            const remove = () => onChange(pictures.filter((_, at) => at !== index));
            // biome-ignore lint/suspicious/noArrayIndexKey: two pictures may be the same file.
            return <Preview key={`${name}${index}`} picture={picture} name={name} onRemove={remove} />;
          })}
        </ul>
      )}
    </div>
  );
}
