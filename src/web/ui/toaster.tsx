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
  // Each toast is its own live region; a live container would make screen readers announce it twice.
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
  flushSync(() => root.render(container));
}

/** The toast with controls, if one is shown. */
let current: { id: Id; onGone: () => void } | undefined;

/** Replaces the current toast. Resolves once this one is drawn. */
export async function showToast(tone: 'success' | 'error' | 'info', text: string): Promise<void> {
  mount();
  toast.dismiss();
  current = undefined;
  toast[tone](text);
  // React draws before the next task.
  await new Promise((drawn) => setTimeout(drawn));
}

/**
 * A toast with controls, hidden from screen readers: the page's live region says the same. Later content updates the same toast, since one
 * that is closing would stand beside it for a second. Returns how to close it; `onGone` runs once it is closed or replaced.
 */
export function showContent(content: ReactNode, onGone: () => void): () => void {
  mount();
  const close = () => {
    if (current === own) current = undefined;
    toast.dismiss(own.id);
  };
  const own = { id: '' as Id, onGone };
  const options = {
    role: 'presentation',
    icon: false,
    onClose: () => {
      if (current === own) current = undefined;
      onGone();
    },
  } as const;
  if (current) {
    current.onGone();
    own.id = current.id;
    toast.update(own.id, { ...options, render: content });
  } else {
    toast.dismiss();
    own.id = toast.success(content, options);
  }
  current = own;
  return close;
}
