import type { AnchorHTMLAttributes, Ref } from 'react';
import { type To, useHref, useLinkClickHandler } from 'react-router';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: To;
  /** Replaces the entry in the browser's history. */
  replace?: boolean;
  state?: unknown;
  preventScrollReset?: boolean;
  relative?: 'route' | 'path';
  ref?: Ref<HTMLAnchorElement>;
}

/** In browsers. The router's own brings the prefetching of its framework, which loads no page of ours (`browser/prefetch-on-intent.ts` does). */
function BrowserLink({ to, replace, state, preventScrollReset, relative, onClick, target, ...rest }: LinkProps) {
  const follow = useLinkClickHandler(to, { replace, state, preventScrollReset, relative, target });
  return (
    <a
      {...rest}
      href={useHref(to, { relative })}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
}

/** On the server, where nobody clicks, and a path needs no router. */
function ServerLink(props: LinkProps) {
  const { to, replace, state, preventScrollReset, relative, ...rest } = props;
  return typeof to === 'string' && to.startsWith('/') ? <a {...rest} href={to} /> : <BrowserLink {...props} />;
}

/** A link within the shop. */
export const Link = import.meta.env.SSR ? ServerLink : BrowserLink;
