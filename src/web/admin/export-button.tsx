import { useState } from 'react';
import { type Endpoint, type Input, urlOf } from '#contract/base/endpoint.ts';
import { isProblem, messageOf, Problem } from '#contract/base/problem.ts';
import { readUserInfo } from '#web/browser/browser-storage.ts';
import { readReply } from '#web/browser/http-call.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { loggedOut } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';

/** Fetches a CSV with the administrator's token, which a plain link could not send, and hands it to the browser as a file. */
async function download(endpoint: Endpoint, input: Input, filename: string): Promise<void> {
  const reply = await fetch(urlOf(endpoint, input), { headers: { Bearer: readUserInfo()?.token ?? '' } }).catch(() => {
    throw new Problem(503, 'The shop cannot be reached. Please check your connection and try again.');
  });
  if (!reply.ok) await readReply(reply);
  const url = URL.createObjectURL(await reply.blob());
  Object.assign(document.createElement('a'), { href: url, download: filename }).click();
  URL.revokeObjectURL(url);
}

interface ExportButtonProps<I extends Input> {
  endpoint: Endpoint<I, string>;
  input: I;
  /** Such as `orders.csv`. */
  filename: string;
  onError: (message: string) => void;
}

export function ExportButton<I extends Input>({ endpoint, input, filename, onError }: ExportButtonProps<I>) {
  const dispatch = useAppDispatch();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    onError('');
    try {
      await download(endpoint, input, filename);
    } catch (error) {
      if (isProblem(error) && error.status === 401) dispatch(loggedOut());
      onError(messageOf(error));
    }
    setPending(false);
  };
  return (
    <Button look="secondary" pending={pending} onClick={() => void run()}>
      Export CSV
    </Button>
  );
}
