import type { SentMessages } from '#contract/integrations/integrations.schema.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type Message = SentMessages['messages'][number];

function resultText({ sentAt, problem, status, attempts, isWaiting }: Message): string {
  if (sentAt) return `Sent at ${shopTime(sentAt)}, answered ${status}`;
  if (attempts === 0) return 'Waiting to be sent';
  const tried = attempts === 1 ? 'Tried once' : `Tried ${attempts} times`;
  return `${problem} ${tried}, ${isWaiting ? 'will be tried again' : 'not tried again'}`;
}

/** The latest messages to a webhook, each with its result. */
export function Messages({ webhookId }: { webhookId: string }) {
  const dispatch = useAppDispatch();
  const { value: list, error, reload } = useLoaded('GET /api/office/webhooks/:id/messages', { params: { id: webhookId } });
  const action = useAction();
  const sendAgain = (id: string) =>
    action.run(id, async () => {
      const { message } = await dispatch(request('POST /api/office/webhook-messages/:id/send', { params: { id } }));
      await reload();
      return message;
    });
  return (
    <div className="grid gap-3">
      {(error || action.error) && <Alert>{error || action.error}</Alert>}
      <p role="status">{action.done}</p>
      {!list && !error && <Skeleton label="Loading the messages" />}
      {list && (
        <p>
          <Button look="quiet" onClick={() => void reload()}>
            Reload the list
          </Button>
        </p>
      )}
      {list?.messages.length === 0 && <p className="text-soft">No messages yet.</p>}
      <ol className="grid gap-3">
        {list?.messages.map((message) => (
          <li key={message._id} className="grid gap-1 border-t border-line pt-3">
            <p className="flex flex-wrap items-center justify-between gap-3">
              <span>
                <span className="font-medium">{message.topic}</span>, {shopTime(message.madeAt)}
              </span>
              <Button
                look="quiet"
                pending={action.pending === message._id}
                aria-label={`Send the message of ${shopTime(message.madeAt)} again`}
                onClick={() => sendAgain(message._id)}
              >
                Send again
              </Button>
            </p>
            <p className={`text-sm ${message.sentAt ? 'text-soft' : 'text-bad'}`}>{resultText(message)}</p>
            <details className="text-sm">
              <summary className="link">What was sent</summary>
              <pre className="mt-1 overflow-x-auto rounded-soft bg-stage p-3 whitespace-pre-wrap break-all">{message.body}</pre>
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}
