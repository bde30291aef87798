/**
 * The address of a request as the router can read it, whatever was sent: without the scheme and host of the absolute form (RFC 9112 section
 * 3.2.2), with a slash at its start, and with what cannot be decoded escaped, so that it names nothing instead of failing.
 */
export function readableAddress(sent: string): string {
  const address = sent.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = ''] = address.split(/[?#]/, 1);
  const rest = address.slice(path.length);
  const rooted = (path.startsWith('/') ? path : `/${path}`).replaceAll('\\', '%5C');
  return (isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')) + rest;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    // The result must count for something: the bundler takes this call for one that cannot fail, and would leave it out.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
