/**
 * A request's URL in a form that the router can read: without scheme and host (the absolute form of RFC 9112, section 3.2.2) and with a leading
 * slash. Invalid percent-encoding is escaped, so that the answer is 404 instead of an error.
 */
export function readableUrl(sent: string): string {
  const url = sent.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = ''] = url.split(/[?#]/, 1);
  const rest = url.slice(path.length);
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
