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

/** `isSaid`: the page says it itself, so that it is not read out twice. */
export function showToast(tone: 'success' | 'error' | 'info', text: string, isSaid: boolean): void {
  mount();
  if (isSaid) toast[tone](<span aria-hidden="true">{text}</span>, { role: 'presentation' });
  else toast[tone](text);
}
