import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify';

let isMounted = false;

/** Puts the container on the page once (specification §9: top-right, 5 s, pauses on hover and focus loss, drag to dismiss at 80 percent). */
function mount(): void {
  if (isMounted) return;
  isMounted = true;
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(
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
    />,
  );
}

/** One toast at a time: the next one takes the place of what is shown. */
export function showToast(tone: 'success' | 'error' | 'info', text: string): void {
  mount();
  toast.dismiss();
  toast[tone](text);
}

/** A toast for the eyes, of what the page's own live region says, with controls. Returns how to close it; `onGone` runs once it is closed. */
export function showContent(content: ReactNode, onGone: () => void): () => void {
  mount();
  toast.dismiss();
  const id = toast.success(content, { role: 'presentation', icon: false, onClose: onGone });
  return () => toast.dismiss(id);
}
