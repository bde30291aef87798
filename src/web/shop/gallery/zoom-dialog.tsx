import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { ZoomProps } from './zoom.tsx';

const Zoom = lazyPart(async () => (await import('./zoom.tsx')).Zoom, { fallback: <p className="sr-only">Loading the picture</p> });

/** The full-screen picture. Lazy: code and larger pictures load when it opens. */
export function ZoomDialog({ open, onClose, ...zoom }: ZoomProps & { open: boolean }) {
  useCloseOnBack(open, onClose);
  return (
    <Dialog open={open} onClose={onClose} label={`Pictures of ${zoom.name}, enlarged`} shape="full" bare>
      <Zoom {...zoom} onClose={onClose} />
    </Dialog>
  );
}
