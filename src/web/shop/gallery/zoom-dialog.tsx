import { lazy, Suspense } from 'react';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { ZoomProps } from './zoom.tsx';

const Zoom = lazy(() => import('./zoom.tsx').then(({ Zoom: Component }) => ({ default: Component })));

/** The enlarged picture over the whole screen. Its code and the larger pictures come when it opens. */
export function ZoomDialog({ open, onClose, ...zoom }: ZoomProps & { open: boolean }) {
  useCloseOnBack(open, onClose);
  return (
    <Dialog open={open} onClose={onClose} label={`Pictures of ${zoom.name}, enlarged`} shape="full" bare>
      <Suspense fallback={<p className="sr-only">Loading the picture</p>}>
        <Zoom {...zoom} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
