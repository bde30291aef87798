import { Link } from '#web/ui/link.tsx';
import { Keys } from './keys.tsx';
import { Webhooks } from './webhooks.tsx';

/** How other programs work with the shop. */
export function Integrations() {
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-soft">
        For a courier’s or an accountant’s software, or your own.{' '}
        <Link to="/admin/settings?section=guide&page=programs" className="link">
          Read the guide
        </Link>{' '}
        for examples, and the{' '}
        <a href="/api/docs" className="link">
          API documentation
        </a>{' '}
        for every call.
      </p>
      <Keys />
      <Webhooks />
    </div>
  );
}
