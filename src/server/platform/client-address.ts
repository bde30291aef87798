import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The network address of whoever asks. Node forgets it with the connection (`ip` is then undefined, whatever its type says), and a client may
 * be gone before its request is dealt with: all of those count as one, and nobody reads what they are answered.
 */
export const clientAddress = ({ ip }: Pick<FastifyRequest, 'ip'>): string => (ip as string | undefined) ?? 'gone';

/** An address in the one form that counts, and the eight groups of an IPv6 one. */
function partsOf(ip: string): { plain: string; groups?: string[] } {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return { plain };
  const [left = '', right = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  return { plain, groups: [...groups(left), ...zeros, ...groups(right)] };
}

/** What counts as one network: an IPv4 address, or the whole /64 that an IPv6 visitor owns. */
export function networkOf(ip: string): string {
  const { plain, groups } = partsOf(ip);
  return groups?.slice(0, 4).join(':') ?? plain;
}

/** The networks that an address lies in, the narrowest first: an IPv4 address alone; of IPv6 the /64, and the /56 and /48 that one customer of a provider may have. */
export function networksOf(ip: string): [narrow: string, ...wider: string[]] {
  const { plain, groups } = partsOf(ip);
  if (!groups) return [plain];
  const site = groups.slice(0, 3).join(':');
  const home = (groups[3] ?? '0').padStart(4, '0').slice(0, 2);
  return [networkOf(ip), `${site}:${home}/56`, `${site}/48`];
}

/** The network of whoever asks. */
export const clientNetwork = (request: Pick<FastifyRequest, 'ip'>): string => networkOf(clientAddress(request));

/** The widest network of whoever asks, for what is shared out between networks. */
export const clientSite = (request: Pick<FastifyRequest, 'ip'>): string => {
  const networks = networksOf(clientAddress(request));
  return networks.at(-1) ?? networks[0];
};
