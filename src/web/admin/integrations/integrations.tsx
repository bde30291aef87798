import { Link } from 'react-router';
import { Keys } from './keys.tsx';
import { Webhooks } from './webhooks.tsx';

/** How other programs work with the shop. */
export function Integrations() {
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-soft">
        For the programs of couriers, accountants and your own.{' '}
        <Link to="/admin/settings?section=guide&page=programs" className="link">
          How they are used
        </Link>{' '}
        stands in the guide,{' '}
        <a href="/api/docs" className="link">
          every call
        </a>{' '}
        in the API’s documentation.
      </p>
      <Keys />
      <Webhooks />
    </div>
  );
}
