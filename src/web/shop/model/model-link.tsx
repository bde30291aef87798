import { Rotate3d } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

const HASH = '#3d';
const ModelView = lazyPart(async () => (await import('./model-view.tsx')).ModelView, {
  fallback: <p className="p-8 text-center">Loading the 3D view</p>,
});

/**
 * "View in 3D", and the dialog that it opens; its code and the viewer's come with it. The address says that it is open: the link works before the
 * page's scripts have taken over, and Back closes the dialog.
 */
export function ModelLink({ product, src }: { product: Product; src: string }) {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const link = useRef<HTMLAnchorElement>(null);
  // The server does not hear of what stands behind the #: the page is taken over closed, as it was drawn.
  const [isTaken, setTaken] = useState(false);
  useEffect(() => {
    setTaken(true);
    window.code.noteWebgl();
  }, []);
  const isOpen = isTaken && hash === HASH;
  // The browser gives the focus back to what had it, which is not the link where the page's scripts came after the press.
  useEffect(() => (isOpen ? () => link.current?.focus() : undefined), [isOpen]);
  const close = () => {
    if (!isOpen) return;
    // Whoever came by a link to the open dialog has no page before it.
    const isFirst = (history.state as { idx?: number } | null)?.idx === 0;
    void (isFirst ? navigate(pathname + search, { replace: true, preventScrollReset: true }) : navigate(-1));
  };
  return (
    <>
      <Link
        ref={link}
        id={HASH.slice(1)}
        to={HASH}
        preventScrollReset
        aria-haspopup="dialog"
        className="btn btn-secondary needs-webgl noscript:hidden"
      >
        <Rotate3d aria-hidden="true" className="size-5" />
        View in 3D
      </Link>
      <Dialog open={isOpen} onClose={close} label={`${product.name} in 3D`} shape="full" bare>
        <ModelView product={product} src={src} onClose={close} />
      </Dialog>
    </>
  );
}
