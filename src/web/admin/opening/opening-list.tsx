import { Check, CircleDashed } from 'lucide';
import type { OpeningStep, OpeningStepName } from '#contract/opening/opening.schema.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DemoRemoval } from './demo-removal.tsx';
import { TestMail } from './test-mail.tsx';

const section = (name: string, label: string) => ({ to: `/admin/settings?section=${name}`, label });

/** Each step's title, and the screen where it is done, if it has one. */
const STEPS: Record<OpeningStepName, { title: string; link?: { to: string; label: string } }> = {
  market: { title: 'Where you sell' },
  shop: { title: 'Name, logo and colours', link: section('shop', 'The shop') },
  company: { title: 'Company', link: section('company', 'Company and tax') },
  tax: { title: 'VAT', link: section('company', 'Company and tax') },
  contact: { title: 'Contact and sender of emails', link: section('contact', 'Contact and showroom') },
  delivery: { title: 'Delivery', link: section('delivery', 'Delivery') },
  policies: { title: 'Policies', link: section('policies', 'Policies') },
  payment: { title: 'Card payments' },
  webhook: { title: 'The provider’s notices (webhook)' },
  mail: { title: 'Emails arrive' },
  backup: { title: 'Backup' },
  secondFactor: { title: 'Two-step login', link: { to: '/profile', label: 'Your profile' } },
  demo: { title: 'The demo is removed' },
};

function Step({ step: { name, isDone, text }, reload }: { step: OpeningStep; reload: () => Promise<void> }) {
  const { title, link } = STEPS[name];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 border-t border-line py-5">
      <Icon of={isDone ? Check : CircleDashed} className={`mt-1 ${isDone ? 'text-good' : 'text-clay'}`} />
      <div className="grid min-w-0 justify-items-start gap-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="text-lg">{title}</h2>
          <span className={`text-sm font-medium ${isDone ? 'text-good' : 'text-clay'}`}>{isDone ? 'Done' : 'To do'}</span>
        </div>
        <p className="max-w-prose wrap-anywhere text-soft">{text}</p>
        {link && (
          <Link to={link.to} className="link">
            {link.label}
          </Link>
        )}
        {name === 'mail' && <TestMail onSent={reload} />}
        {name === 'demo' && <DemoRemoval isDone={isDone} onRemoved={reload} />}
      </div>
    </li>
  );
}

/** What is done and what is left before the shop opens. */
export function OpeningList() {
  const { value, error, reload } = useLoaded('GET /api/opening', {});
  if (!value) return error ? <Alert>{error}</Alert> : <Skeleton label="Loading the list" />;
  const left = value.steps.filter(({ isDone }) => !isDone).length;
  return (
    <>
      <p className="mb-6 max-w-prose text-soft">
        {left === 0
          ? 'Everything is ready. Come back after you have changed the payment provider or the mail server.'
          : `${left} of ${value.steps.length} left. Meanwhile, you can look at the shop and try it out.`}
      </p>
      {error && <Alert>{error}</Alert>}
      <ol className="max-w-3xl">
        {value.steps.map((step) => (
          <Step key={step.name} step={step} reload={reload} />
        ))}
      </ol>
    </>
  );
}
