import type { Api, Input } from '#contract/api.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import type { useAction } from '#web/state/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { useProof } from './use-proof.tsx';

/** Calls that answer with a file. */
type Downloads = { [N in keyof Api]: Api[N] extends { download: string } ? N : never }[keyof Api];

interface DownloadButtonProps<N extends Downloads> {
  label: string;
  endpoint: N;
  input: Input<N>;
  filename: string;
  /** The page's action, which shows failures. */
  action: ReturnType<typeof useAction>;
}

/** Downloads a file with the session's token, which a plain link cannot send. */
export function DownloadButton<N extends Downloads>({ label, endpoint, input, filename, action }: DownloadButtonProps<N>) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const download = async () => saveFile((await prove(() => dispatch(request(endpoint, input)))) as Blob, filename);
  return (
    <>
      <Button look="secondary" pending={action.pending === filename} onClick={() => action.run(filename, download)}>
        {label}
      </Button>
      {proofDialog}
    </>
  );
}
