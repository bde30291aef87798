import type { Download, Endpoint, Input } from '#contract/base/endpoint.ts';
import { useProof } from '#web/parts/proof/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import type { useAction } from '#web/state/use-action.ts';
import { Button } from '#web/ui/button.tsx';

interface ExportButtonProps<I extends Input> {
  endpoint: Endpoint<I, Download>;
  input: I;
  /** Such as `orders.csv`. */
  filename: string;
  /** The page's action: it shows what failed. */
  action: ReturnType<typeof useAction>;
}

/** Fetches a CSV with the administrator's token, which a plain link could not send, and hands it to the browser as a file. */
export function ExportButton<I extends Input>({ endpoint, input, filename, action }: ExportButtonProps<I>) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const download = async () => {
    const url = URL.createObjectURL((await prove(() => dispatch(request(endpoint, input)))) as Blob);
    Object.assign(document.createElement('a'), { href: url, download: filename }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <Button look="secondary" pending={action.pending !== ''} onClick={() => action.run('export', download)}>
        Export CSV
      </Button>
      {proofDialog}
    </>
  );
}
