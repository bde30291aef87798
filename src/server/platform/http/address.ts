/**
 * A request's address in a form that the router can read: without scheme and host (the absolute form of RFC 9112, section 3.2.2) and with a leading
 * slash. Invalid percent-encoding is escaped, so that it is an unknown address instead of an error.
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
    // The bundler would remove a call whose result is unused.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
