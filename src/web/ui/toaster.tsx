import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type Id, ToastContainer, toast } from 'react-toastify';

let isMounted = false;

/** Mounts the container once (specification §9: top-right, 5 s, pauses on hover and focus loss, drag to dismiss at 80 percent). */
function mount(): void {
  if (isMounted) return;
  isMounted = true;
  const host = document.createElement('div');
  document.body.append(host);
  // Each toast is its own live region (its `role`); a live container would make screen readers announce it twice.
  const silence = (element: HTMLElement | null) => element?.querySelector('section')?.setAttribute('aria-live', 'off');
  const root = createRoot(host);
  const container = (
    <div ref={silence}>
      <ToastContainer
        position="top-right"
        autoClose={5000}
        pauseOnHover
        pauseOnFocusLoss
        draggable
        draggablePercent={80}
        closeOnClick
        newestOnTop
        role="status"
      />
    </div>
  );
  // At once: a toast before the container is there would only be queued, and lost with the next `toast.dismiss()`.
  flushSync(() => root.render(container));
}

/** The toast of `showContent`, if one is shown. */
let content: { id: Id; onGone: () => void } | undefined;

/** Replaces whichever toast is shown. Resolves once this one is drawn, so that the next (`toast.ts`) does not replace it unseen. */
export async function showToast(tone: 'success' | 'error' | 'info', text: string): Promise<void> {
  mount();
  // Runs `onGone` of a toast with controls.
  toast.dismiss();
  content = undefined;
  toast[tone](text);
  // React draws before the next task.
  await new Promise((drawn) => setTimeout(drawn));
}

/**
 * A toast with controls, hidden from screen readers: the page's live region says the same. Later content updates the same toast, since one
 * that is closing would stand beside it for a second. `onGone` runs once it is closed or replaced. Returns a function that closes it, and does
 * nothing once it is gone.
 */
export function showContent(children: ReactNode, onGone: () => void): () => void {
  mount();
  const own = { id: '' as Id, onGone };
  const close = () => {
    if (content !== own) return;
    content = undefined;
    toast.dismiss(own.id);
  };
  const options = {
    role: 'presentation',
    icon: false,
    onClose: () => {
      if (content === own) content = undefined;
      onGone();
    },
  } as const;
  if (content) {
    content.onGone();
    own.id = content.id;
    toast.update(own.id, { ...options, render: children });
  } else {
    toast.dismiss();
    own.id = toast.success(children, options);
  }
  content = own;
  return close;
}
