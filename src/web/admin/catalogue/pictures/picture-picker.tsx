import { useContext, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { MAX_PICTURE_MB, MAX_PICTURES } from '#contract/catalogue/catalogue.ts';
import { pictureAt } from '#contract/catalogue/pictures.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import { PicturesContext } from '#web/ui/picture.tsx';
import { PictureDescription } from './picture-description.tsx';
import type { PictureField, VariantOptions } from './picture-field.ts';

interface PicturePickerProps {
  pictures: PictureField[];
  variants: VariantOptions;
  onChange: (change: (before: PictureField[]) => PictureField[]) => void;
}

const ACCEPT = { 'image/*': ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'] };
const sourceOf = (picture: PictureField) => ('file' in picture ? picture.preview : picture.url);
const nameOf = (picture: PictureField, index: number) => ('file' in picture ? picture.file.name : `picture ${index + 1}`);

/** Why a file is refused; undefined if it is accepted. */
function reasonAgainst({ name, size }: File): string | undefined {
  if (size === 0) return `${name} is empty.`;
  return size > MAX_PICTURE_MB * 1024 * 1024 ? `${name} is larger than ${MAX_PICTURE_MB} MB.` : undefined;
}

/** Adds, moves and removes pictures. Each refused file has a sentence that says why. */
function usePictures({ pictures, onChange }: Omit<PicturePickerProps, 'variants'>) {
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const add = (files: File[], rejected: File[]) => {
    const images = files.filter((file) => !reasonAgainst(file));
    const fitting = images.slice(0, Math.max(0, MAX_PICTURES - pictures.length));
    setLeftOut([
      ...rejected.map(({ name }) => `${name} is not a JPEG, PNG, WebP, AVIF or GIF.`),
      ...files.flatMap((file) => reasonAgainst(file) ?? []),
      ...images.slice(fitting.length).map(({ name }) => `${name} is one too many: a product has at most ${MAX_PICTURES} pictures.`),
    ]);
    const added = fitting.map((file) => ({ file, preview: URL.createObjectURL(file), shown: {} }));
    onChange((before) => [...before, ...added]);
  };
  const move = (index: number, by: number) =>
    onChange((before) => {
      const next = [...before];
      const [picture] = next.splice(index, 1);
      if (picture) next.splice(index + by, 0, picture);
      return next;
    });
  const remove = (picture: PictureField) => {
    if ('file' in picture) URL.revokeObjectURL(picture.preview);
    onChange((before) => before.filter((other) => sourceOf(other) !== sourceOf(picture)));
  };
  /** Removes a file that the browser cannot show, such as a text named like a picture. */
  const leaveOut = (picture: PictureField) => {
    if (!('file' in picture)) return;
    remove(picture);
    setLeftOut((before) => [...before, `${picture.file.name} cannot be read as a picture.`]);
  };
  const setShown = (index: number, shown: Shown) =>
    onChange((before) => before.map((picture, at) => (at === index ? { ...picture, shown } : picture)));
  return { leftOut, add, move, remove, leaveOut, setShown };
}

/** Below this number of pictures, a hint asks for more. */
const ENOUGH_PICTURES = 3;

function DropArea({ count, onDrop }: { count: number; onDrop: (files: File[], rejected: File[]) => void }) {
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept: ACCEPT,
    multiple: true,
    // The button inside takes the keyboard.
    noKeyboard: true,
    // The browser's own picker first; the hidden input where a security error blocks it (specification §8).
    useFsAccessApi: true,
    onDrop: (files, rejections) =>
      onDrop(
        files,
        rejections.map(({ file }) => file),
      ),
  });
  const look = isDragActive ? 'border-accent bg-accent-tint' : 'border-edge bg-paper';
  return (
    <div {...getRootProps()} className={`rounded-card border-2 border-dashed p-6 text-center ${look}`}>
      <input {...getInputProps({ 'aria-label': 'Images' })} />
      <p>
        Drag pictures here, or{' '}
        <button type="button" className="link font-semibold">
          choose them
        </button>
        .
      </p>
      {count < ENOUGH_PICTURES && (
        <p className="hint">
          Most shoppers want {ENOUGH_PICTURES} pictures or more. One in a room, or with a person beside it, shows the size.
        </p>
      )}
      <p className="hint">
        JPEG, PNG, WebP, AVIF or GIF, up to {MAX_PICTURE_MB} MB each, at most {MAX_PICTURES}. The first is shown in lists. Upright 4:5
        pictures fit best.
      </p>
    </div>
  );
}

interface PreviewProps {
  picture: PictureField;
  index: number;
  isLast: boolean;
  variants: VariantOptions;
  onShownChange: (shown: Shown) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
  onUnreadable: () => void;
}

function Preview({ picture, index, isLast, variants, onShownChange, onMove, onRemove, onUnreadable }: PreviewProps) {
  const name = nameOf(picture, index);
  const control = 'link min-h-6';
  const from = useContext(PicturesContext);
  return (
    <li className="w-28">
      <img
        src={pictureAt(from, sourceOf(picture), 320)}
        alt={name}
        width={320}
        height={400}
        className="aspect-4/5 w-full rounded-soft bg-stage object-cover"
        onError={onUnreadable}
      />
      <div className="mt-1 flex flex-wrap justify-between text-sm">
        <button type="button" className={control} aria-label={`Move ${name} forward`} disabled={index === 0} onClick={() => onMove(-1)}>
          ←
        </button>
        <button type="button" className={control} aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </button>
        <button type="button" className={control} aria-label={`Move ${name} back`} disabled={isLast} onClick={() => onMove(1)}>
          →
        </button>
      </div>
      <PictureDescription name={name} shown={picture.shown} variants={variants} onChange={onShownChange} />
    </li>
  );
}

/** Takes pictures by drag and drop or click. The shop shows them in the same order. */
export function PicturePicker({ pictures, variants, onChange }: PicturePickerProps) {
  const { leftOut, add, move, remove, leaveOut, setShown } = usePictures({ pictures, onChange });
  return (
    <fieldset>
      <legend className="legend">Images</legend>
      <DropArea count={pictures.length} onDrop={add} />
      <div role="status" className="wrong">
        {leftOut.length > 0 && <p>Not added:</p>}
        {leftOut.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-3">
        {pictures.map((picture, index) => (
          <Preview
            key={sourceOf(picture)}
            picture={picture}
            index={index}
            isLast={index === pictures.length - 1}
            variants={variants}
            onShownChange={(shown) => setShown(index, shown)}
            onMove={(by) => move(index, by)}
            onRemove={() => remove(picture)}
            onUnreadable={() => leaveOut(picture)}
          />
        ))}
      </ul>
    </fieldset>
  );
}
