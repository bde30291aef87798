import { X } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import { Button, IconButton } from './button.tsx';

type Shape = 'centre' | 'side' | 'side sheet-right' | 'top' | 'full' | 'page';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  label: string;
  shape?: Shape;
  children: ReactNode;
  /** Focused first; else the first control. */
  focus?: RefObject<HTMLElement | null>;
  /** The content draws its own close button. */
  bare?: boolean;
}

/** A modal on `<dialog>`: focus trap, Escape, focus return; a click on the backdrop closes it too. */
export function Dialog({ open, onClose, label, shape = 'centre', children, focus, bare = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open === open) return;
    if (!open) return dialog.close();
    dialog.showModal();
    focus?.current?.focus();
  }, [open, focus]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog by Escape; the click is for the backdrop only.
    <dialog
      ref={ref}
      aria-label={label}
      className={`sheet sheet-${shape}`}
      // The event comes late: the dialog may be open again.
      onClose={() => ref.current?.open || onClose()}
      onClick={({ target }) => target === ref.current && ref.current?.close()}
    >
      {open && (
        <div className="relative">
          {!bare && (
            <IconButton label="Close" className="absolute right-3 top-3 z-10 bg-page" onClick={onClose}>
              <Icon of={X} />
            </IconButton>
          )}
          {children}
        </div>
      )}
    </dialog>
  );
}

interface ConfirmProps {
  open: boolean;
  question: string;
  /** What would be deleted, or what follows. */
  name: string;
  action: string;
  pending?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a deletion or another step that is hard to undo, with the focus on Cancel. */
export function ConfirmDialog({ open, question, name, action, pending = false, onConfirm, onCancel }: ConfirmProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) row.current?.querySelector('button')?.focus();
  }, [open]);
  return (
    <Dialog open={open} onClose={onCancel} label={question} bare>
      <h2>{question}</h2>
      <p className="mt-2 text-soft">{name}</p>
      <div ref={row} className="mt-6 flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
