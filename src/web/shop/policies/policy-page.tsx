import type { MouseEvent } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import { POLICY_NAMES, POLICY_PATHS, type Policy } from '#contract/policies/policies.ts';
import { loadData } from '#web/state/load.ts';
import { request } from '#web/state/thunk.ts';
import { PolicyFrame } from './policy-frame.tsx';

/** Whether a text is an ISO time in exactly the form that links from orders have, and that the API accepts: from 2000 on. */
const isMoment = (text: string | null): text is string =>
  text !== null && text >= '2000' && !Number.isNaN(Date.parse(text)) && new Date(text).toJSON() === text;

/** The page's policy. With `?at=`, to which orders link, its text at that time; an invalid time is ignored. */
export const loader = loadData(async (store, { pathname, search }) => {
  const policy = POLICY_NAMES.find((name) => POLICY_PATHS[name] === pathname) ?? 'terms';
  const at = search.get('at');
  const query = isMoment(at) ? { at } : {};
  const reply = await store.dispatch(request('GET /api/policies/:policy', { params: { policy }, query }));
  return { ...reply, path: POLICY_PATHS[policy] };
});

/** Follows links within the shop by the router, without loading a new document. */
function useLinksOfShop() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const path = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
    if (!path.startsWith('/') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(path);
  };
}

export function Component() {
  const { title, description, sections, html, note, path } = useLoaderData<Policy & { path: string }>();
  const follow = useLinksOfShop();
  return (
    <PolicyFrame
      title={title}
      description={description}
      canonical={path}
      sections={sections.map(({ id, heading }) => [id, heading] as const)}
      note={note}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links in it are ordinary links. */}
      <div
        className="written"
        onClick={follow}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made on the server from Markdown that has no HTML.
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </PolicyFrame>
  );
}
