import type { Download, Endpoint, Input } from '#contract/platform/endpoint.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import type { useAction } from '#web/state/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { useProof } from './use-proof.tsx';

interface DownloadButtonProps<I extends Input> {
  label: string;
  endpoint: Endpoint<I, Download>;
  input: I;
  /** Such as `orders.csv`. */
  filename: string;
  /** The page's action: it shows what failed. */
  action: ReturnType<typeof useAction>;
}

/** Fetches a file with the session's token, which a plain link could not send, and hands it to the browser. */
export function DownloadButton<I extends Input>({ label, endpoint, input, filename, action }: DownloadButtonProps<I>) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const download = async () => {
    const url = URL.createObjectURL((await prove(() => dispatch(request(endpoint, input)))) as Blob);
    Object.assign(document.createElement('a'), { href: url, download: filename }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <Button look="secondary" pending={action.pending === filename} onClick={() => action.run(filename, download)}>
        {label}
      </Button>
      {proofDialog}
    </>
  );
}
