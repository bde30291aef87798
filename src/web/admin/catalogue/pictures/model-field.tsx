import { useEffect, useState } from 'react';
import { MAX_MODEL_MB } from '#contract/catalogue/catalogue.ts';
import type { SizeFields } from '#web/admin/catalogue/product-fields.ts';
import { formOf } from '#web/browser/form-of.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Checkbox, Field } from '#web/ui/form/field.tsx';

/** A newly chosen file, the URL of the current model, or none. `anySize`: it may differ in size from the measurements. */
export type Model = { file: File; anySize?: boolean } | { url: string } | null;

const inKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en-GB')} KB`;

/** The size of the model's file in words; '' until it is known. */
function useFileSize(model: Model): string {
  const [size, setSize] = useState('');
  const url = model && 'url' in model ? model.url : undefined;
  useEffect(() => {
    setSize('');
    if (!url) return;
    const stop = new AbortController();
    fetch(url, { method: 'HEAD', signal: stop.signal })
      .then(({ ok, headers }) => {
        const bytes = Number(headers.get('content-length'));
        if (ok && bytes > 0) setSize(inKilobytes(bytes));
      })
      // The form works without the size.
      .catch(() => undefined);
    return () => stop.abort();
  }, [url]);
  return model && 'file' in model ? inKilobytes(model.file.size) : size;
}

interface ModelChooserProps {
  /** The size that the model is for; empty for the product's own model. */
  size?: string;
  hint: string;
  error?: string | undefined;
  onChosen: (file: File) => void;
}

function ModelChooser({ size = '', hint, error, onChosen }: ModelChooserProps) {
  const [refused, setRefused] = useState('');
  const choose = (file: File | undefined) => {
    const isValid = file && /\.glb$/i.test(file.name) && file.size <= MAX_MODEL_MB * 1024 * 1024;
    setRefused(file && !isValid ? `Only a GLB of up to ${MAX_MODEL_MB} MB can be added: ${file.name}` : '');
    if (isValid) onChosen(file);
  };
  const ofSize = size && ` of ${size}`;
  return (
    <details open={error !== undefined || undefined}>
      <summary className="link min-h-6 cursor-pointer">Add a 3D model{ofSize}</summary>
      <div className="mt-3">
        <Field
          label={`3D model${ofSize}`}
          type="file"
          accept=".glb,model/gltf-binary"
          hint={hint}
          error={refused || error}
          onChange={({ target }) => choose(target.files?.[0])}
        />
      </div>
    </details>
  );
}

const FORMAT = `A GLB of up to ${MAX_MODEL_MB} MB, in metres, standing on the floor; textures as JPEG or PNG.`;

interface ChosenModelProps {
  /** The file's size and name. */
  description: string;
  size?: string;
  onRemove: () => void;
}

function ChosenModel({ description, size = '', onRemove }: ChosenModelProps) {
  const ofSize = size && ` of ${size}`;
  return (
    <>
      3D model{ofSize}: {description || 'added'} ·{' '}
      <button type="button" className="link min-h-6" aria-label={`Remove the 3D model${ofSize}`} onClick={onRemove}>
        Remove
      </button>
    </>
  );
}

function AnySizeCheckbox({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <Checkbox label="Its size may differ from the measurements" checked={checked} onChange={({ target }) => onChange(target.checked)} />
  );
}

/** The product's own 3D model, which shows its first size. */
export function ModelField({ model, onChange }: { model: Model; onChange: (model: Model) => void }) {
  const fileSize = useFileSize(model);
  if (!model)
    return (
      <ModelChooser
        hint={`Shoppers can turn it and see it in their room. ${FORMAT} It is as large as the first size. Material variants with the name or the code of a colour show that colour when it is chosen.`}
        onChosen={(file) => onChange({ file })}
      />
    );
  return (
    <div>
      <ChosenModel
        description={[fileSize, 'file' in model && model.file.name].filter(Boolean).join(', ')}
        onRemove={() => onChange(null)}
      />
      {'file' in model && <AnySizeCheckbox checked={model.anySize ?? false} onChange={(anySize) => onChange({ ...model, anySize })} />}
    </div>
  );
}

interface SizeModelProps {
  id: string;
  label: string;
  size: SizeFields;
  error: string | undefined;
  onChange: (size: SizeFields) => void;
}

/** The 3D model of a size other than the first. A file is uploaded when it is chosen, and used once the product is saved. */
export function SizeModel({ id, label, size, error, onChange }: SizeModelProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error: refused } = useAction();
  const fileSize = useFileSize(size.model ? { url: size.model } : null);
  const upload = (model: File) =>
    run('upload', async () => {
      const stored = await dispatch(request('POST /api/products/models', { body: formOf({ model }) }));
      onChange({ ...size, model: stored.model, anyModelSize: false });
    });
  // Offered once the size was refused, and while it is ticked.
  const offersAnySize = error !== undefined || size.anyModelSize;
  return (
    <div id={id} tabIndex={-1}>
      {size.model ? (
        <ChosenModel description={fileSize} size={label} onRemove={() => onChange({ ...size, model: '', anyModelSize: false })} />
      ) : (
        <ModelChooser
          size={label}
          hint={`${FORMAT} Without one, the size shows the first size’s model.`}
          error={refused || undefined}
          onChosen={upload}
        />
      )}
      {pending && <p role="status">Uploading the 3D model</p>}
      {error && <p className="wrong">{error}</p>}
      {size.model && offersAnySize && (
        <AnySizeCheckbox checked={size.anyModelSize} onChange={(anyModelSize) => onChange({ ...size, anyModelSize })} />
      )}
    </div>
  );
}
