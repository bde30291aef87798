import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { lazyPart } from './lazy-part.tsx';

/** `#stop-review-mails=TOKEN`: what a link in a mail is for, and its token. It stands behind the `#`, which is sent to no server. */
const LINK = /^#(stop-review-mails|confirm-alert|stop-alert|confirm-email)=([\w-]{10,100})$/;

const MailDialog = lazyPart(async () => (await import('./mail-dialog.tsx')).MailDialog);

/** Asks, on whichever page a link in a mail leads to, whether what the link is for is meant: opening it changes nothing by itself. */
export function MailLink() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  // The server's page knows nothing of what stands behind the `#`, so that the first rendering must not either.
  const [isLive, setIsLive] = useState(false);
  useEffect(() => setIsLive(true), []);
  const [, purpose, token] = (isLive && LINK.exec(hash)) || [];
  if (!purpose || !token) return null;
  return <MailDialog key={hash} purpose={purpose} token={token} onClose={() => void navigate(pathname + search, { replace: true })} />;
}
