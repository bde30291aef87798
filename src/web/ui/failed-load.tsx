import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

export const FailedLoad = ({ message, onRetry }: { message: string; onRetry: () => Promise<void> | void }) => (
  <div className="grid justify-items-start gap-4">
    <Alert>{message}</Alert>
    <Button look="secondary" onClick={() => void onRetry()}>
      Try again
    </Button>
  </div>
);
