import { useEffect, useState } from 'react';
import { MAX_MODEL_MB } from '#contract/catalogue/catalogue.ts';
import { Checkbox, Field } from '#web/ui/form/field.tsx';

/** A newly chosen file, the address of the current model, or none. */
export type Model = { file: File; anySize?: boolean } | { url: string } | null;

const inKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en-GB')} KB`;

/** The model's size in words; '' until it is known. */
function useSize(model: Model): string {
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
      // The form works without it.
      .catch(() => undefined);
    return () => stop.abort();
  }, [url]);
  return model && 'file' in model ? inKilobytes(model.file.size) : size;
}

function ChooseModel({ onChange }: { onChange: (model: Model) => void }) {
  const [refused, setRefused] = useState('');
  const choose = (file: File | undefined) => {
    const isFitting = file && /\.glb$/i.test(file.name) && file.size <= MAX_MODEL_MB * 1024 * 1024;
    setRefused(file && !isFitting ? `Only a GLB of up to ${MAX_MODEL_MB} MB can be added: ${file.name}` : '');
    if (isFitting) onChange({ file });
  };
  return (
    <details>
      <summary className="link min-h-6 cursor-pointer">Add a 3D model</summary>
      <div className="mt-3">
        <Field
          label="3D model"
          type="file"
          accept=".glb,model/gltf-binary"
          hint={`Shoppers can turn it and see it in their room. A GLB of up to ${MAX_MODEL_MB} MB, in metres, as large as the first size, standing on the floor; textures as JPEG or PNG.`}
          error={refused}
          onChange={({ target }) => choose(target.files?.[0])}
        />
      </div>
    </details>
  );
}

export function ModelField({ model, onChange }: { model: Model; onChange: (model: Model) => void }) {
  const size = useSize(model);
  if (!model) return <ChooseModel onChange={onChange} />;
  return (
    <div>
      3D model: {[size, 'file' in model && model.file.name].filter(Boolean).join(', ') || 'added'} ·{' '}
      <button type="button" className="link min-h-6" aria-label="Remove the 3D model" onClick={() => onChange(null)}>
        Remove
      </button>
      {'file' in model && (
        <Checkbox
          label="Its size may differ from the measurements"
          checked={model.anySize ?? false}
          onChange={({ target }) => onChange({ ...model, anySize: target.checked })}
        />
      )}
    </div>
  );
}
