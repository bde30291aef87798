import { Rotate3d } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { modelOfSize } from '#contract/catalogue/pictures.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';

const HASH = '#3d';
const ModelView = lazyPart(async () => (await import('./model-view.tsx')).ModelView, {
  fallback: <p className="p-8 text-center">Loading the 3D view</p>,
});

interface ModelLinkProps {
  product: Product;
  model: NonNullable<ReturnType<typeof modelOfSize>>;
  /** The chosen size and colour, if the product has several. */
  size: Product['sizes'][number] | undefined;
  color: string | undefined;
}

/** "View in 3D" and its lazy dialog. The URL's fragment opens it, so the link works before hydration and Back closes the dialog. */
export function ModelLink({ product, ...shown }: ModelLinkProps) {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const link = useRef<HTMLAnchorElement>(null);
  // The server does not see the fragment, so hydration must start closed.
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => {
    setIsHydrated(true);
    window.code.noteWebgl();
  }, []);
  const isOpen = isHydrated && hash === HASH;
  // The browser's own focus return misses the link if it was pressed before hydration.
  useEffect(() => (isOpen ? () => link.current?.focus() : undefined), [isOpen]);
  const close = () => {
    if (!isOpen) return;
    // No earlier page in the history: the visitor opened a link to the dialog.
    const isFirst = (history.state as { idx?: number } | null)?.idx === 0;
    void (isFirst ? navigate(pathname + search, { replace: true, preventScrollReset: true }) : navigate(-1));
  };
  return (
    <>
      <Link
        ref={link}
        id={HASH.slice(1)}
        to={{ search, hash: HASH }}
        preventScrollReset
        aria-haspopup="dialog"
        className="btn btn-secondary needs-webgl noscript:hidden"
      >
        <Icon of={Rotate3d} className="size-5" />
        View in 3D
      </Link>
      <Dialog open={isOpen} onClose={close} label={`${product.name} in 3D`} shape="full" bare>
        <ModelView product={product} {...shown} onClose={close} />
      </Dialog>
    </>
  );
}
