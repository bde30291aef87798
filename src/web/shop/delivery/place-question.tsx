import { type FormEvent, useContext, useId, useState } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { postcode } from '#web/browser/postcode.ts';
import { MarketContext } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { isPlace, usePlace } from './use-delivery.ts';

/** What delivery may cost and take more, before the postcode is known. */
function RangeText({ most: { surcharge, extraDays } }: Pick<Delivery, 'most'>) {
  const { shopPrice } = useContext(MarketContext);
  const more = [surcharge > 0 && `up to ${shopPrice(surcharge)} more`, extraDays > 0 && `up to ${extraDays} days longer`].filter(Boolean);
  return <>Some postcodes {more.length > 0 ? `cost more or take longer: ${more.join(' and ')}` : 'differ'}.</>;
}

/** Asks for the postcode, and keeps it in the browser. */
export function PlaceQuestion({ delivery }: { delivery: Delivery | null }) {
  const place = usePlace();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim().toUpperCase();
    const isGood = isPlace(text);
    setIsWrong(!isGood);
    if (!isGood) return;
    postcode.write(text);
    setIsOpen(false);
  };
  if (place && !isOpen)
    return (
      <p className="text-sm text-soft">
        Delivery to {place}.{' '}
        <button type="button" className="link" onClick={() => setIsOpen(true)}>
          Change
        </button>
        {delivery?.area?.refusal && <span className="wrong block">{delivery.area.refusal}</span>}
      </p>
    );
  return (
    <form noValidate className="grid gap-1 text-sm" onSubmit={submit}>
      <label htmlFor={id}>Your postcode</label>
      <div className="flex gap-2">
        <input
          id={id}
          className="input w-32"
          autoComplete="postal-code"
          maxLength={10}
          value={typed}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" look="secondary">
          Check
        </Button>
      </div>
      <p id={`${id}-hint`} role={isWrong ? 'alert' : undefined} className={isWrong ? 'wrong' : 'hint'}>
        {isWrong ? 'Enter a UK postcode, such as IV1 1AA' : delivery && <RangeText most={delivery.most} />}
      </p>
    </form>
  );
}
