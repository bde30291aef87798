import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The network address of whoever asks. Node forgets it with the connection (`ip` is then undefined, whatever its type says), and a client may
 * be gone before its request is dealt with: all of those count as one, and nobody reads what they are answered.
 */
export const clientAddress = ({ ip }: Pick<FastifyRequest, 'ip'>): string => (ip as string | undefined) ?? 'gone';

/** What counts as one network: an IPv4 address, or the whole /64 that an IPv6 visitor owns. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [left = '', right = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  return [...groups(left), ...zeros, ...groups(right)].slice(0, 4).join(':');
}

/** The network of whoever asks. */
export const clientNetwork = (request: Pick<FastifyRequest, 'ip'>): string => networkOf(clientAddress(request));
