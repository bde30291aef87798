import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from './button.tsx';

type Shape = 'centre' | 'side' | 'side sheet-right' | 'top' | 'full' | 'page';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  label: string;
  shape?: Shape;
  children: ReactNode;
  /** Takes the focus first; else the dialog's first control. */
  focus?: RefObject<HTMLElement | null>;
  /** The dialog draws its own way to close. */
  bare?: boolean;
}

/** An overlay on the browser's own `<dialog>`, which traps the focus, closes on Escape and gives the focus back. A click beside it closes it too. */
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
      // The browser tells of a closing a little later: by then the dialog may have been opened again, and stays.
      onClose={() => ref.current?.open || onClose()}
      onClick={({ target }) => target === ref.current && ref.current?.close()}
    >
      {open && (
        <div className="relative">
          {!bare && (
            <IconButton label="Close" className="absolute right-3 top-3 z-10 bg-page" onClick={onClose}>
              <X aria-hidden="true" />
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
  /** The thing that would be gone. */
  name: string;
  action: string;
  pending?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something is deleted: names it, and the focus starts on Cancel. */
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
