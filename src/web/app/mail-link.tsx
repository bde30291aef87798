import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { lazyPart } from '#web/parts/lazy-part.tsx';

/** `#stop-review-mails=TOKEN`: a mail link's purpose and token, after the `#`, which browsers never send. */
const LINK = /^#(stop-review-mails|confirm-alert|stop-alert|confirm-email|mail-arrived)=([\w-]{10,100})$/;

const MailDialog = lazyPart(async () => (await import('./mail-dialog.tsx')).MailDialog);

/** Asks for confirmation of a mail's link on any page: opening the link alone changes nothing. */
export function MailLink() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  // The server does not see the fragment, so hydration must start without it.
  const [isLive, setIsLive] = useState(false);
  useEffect(() => setIsLive(true), []);
  const [, purpose, token] = (isLive && LINK.exec(hash)) || [];
  if (!purpose || !token) return null;
  return <MailDialog key={hash} purpose={purpose} token={token} onClose={() => void navigate(pathname + search, { replace: true })} />;
}
