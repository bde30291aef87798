import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Zoom, type ZoomProps } from './zoom.tsx';

/** The full-screen picture. */
export function ZoomDialog({ open, onClose, ...zoom }: ZoomProps & { open: boolean }) {
  useCloseOnBack(open, onClose);
  return (
    <Dialog open={open} onClose={onClose} label={`Pictures of ${zoom.name}, enlarged`} shape="full" bare>
      <Zoom {...zoom} onClose={onClose} />
    </Dialog>
  );
}
