import { useEffect, useMemo, useState } from 'react';

interface PicturesFieldProps {
  pictures: File[];
  most: number;
  onChange: (pictures: File[]) => void;
}

function Preview({ file, onRemove }: { file: File; onRemove: () => void }) {
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <li className="w-20">
      <img src={url} alt={file.name} width={80} height={100} className="aspect-4/5 w-full rounded-soft bg-stage object-cover" />
      <button type="button" className="link min-h-6 text-sm" aria-label={`Remove ${file.name}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  );
}

/** A few pictures, with previews. Those beyond the most are named and left out. */
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
          // The same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
      <p id="review-pictures-hint" className="hint">
        Up to {most}, 10 MB each. Where and when they were taken is removed.
      </p>
      {leftOut.length > 0 && (
        <p role="status" className="wrong">
          At most {most} pictures can be added. Left out: {leftOut.join(', ')}
        </p>
      )}
      {pictures.length > 0 && (
        <ul aria-label="Chosen pictures" className="mt-3 flex flex-wrap gap-3">
          {pictures.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two pictures may be the same file.
            <Preview key={`${file.name}${index}`} file={file} onRemove={() => onChange(pictures.filter((_, at) => at !== index))} />
          ))}
        </ul>
      )}
    </div>
  );
}
