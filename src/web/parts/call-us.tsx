import { useContext } from 'react';
import { phoneUrl } from '#contract/market/company.ts';
import { CompanyContext } from '#web/state/store.ts';

/** “call us on 01632 960148”, or without a number “call us”. */
export function CallUs() {
  const { phone } = useContext(CompanyContext);
  return (
    <>
      call us
      {phone && (
        <>
          {' on '}
          <a href={phoneUrl(phone)} className="link whitespace-nowrap">
            {phone}
          </a>
        </>
      )}
    </>
  );
}
