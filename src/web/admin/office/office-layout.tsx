import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useLoaded } from '#web/state/use-loaded.ts';
import { OfficeContext } from './office-context.ts';
import { OfficeMenu } from './office-menu.tsx';

/** The office's layout: the menu beside the page. Counts are reloaded with each page. */
export function OfficeLayout() {
  const { key } = useLocation();
  const { value: today, error, reload: recount } = useLoaded('GET /api/office/today', {});
  const counted = useRef(key);
  useEffect(() => {
    if (counted.current === key) return;
    counted.current = key;
    void recount();
  }, [key, recount]);
  return (
    <OfficeContext value={{ today, error, recount }}>
      <div className="flex grow flex-col lg:flex-row print:block">
        <OfficeMenu today={today} />
        <Outlet />
      </div>
    </OfficeContext>
  );
}
