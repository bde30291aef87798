import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The client's IP address. Node forgets it when the connection closes (`ip` is then undefined, despite its type): all such clients count as one. */
export const clientAddress = ({ ip }: Pick<FastifyRequest, 'ip'>): string => (ip as string | undefined) ?? 'gone';

/** An address in canonical form, with the eight groups of an IPv6 address. */
function partsOf(ip: string): { plain: string; groups?: string[] } {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return { plain };
  const [left = '', right = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  return { plain, groups: [...groups(left), ...zeros, ...groups(right)] };
}

/** The network for rate limits: an IPv4 address, or the /64 that an IPv6 visitor owns. */
export function networkOf(ip: string): string {
  const { plain, groups } = partsOf(ip);
  return groups?.slice(0, 4).join(':') ?? plain;
}

/** The networks around an address, narrowest first: an IPv4 address itself; for IPv6 its /64, and the /56 and /48 that an ISP may give one customer. */
export function networksOf(ip: string): [narrow: string, ...wider: string[]] {
  const { plain, groups } = partsOf(ip);
  if (!groups) return [plain];
  const site = groups.slice(0, 3).join(':');
  const home = (groups[3] ?? '0').padStart(4, '0').slice(0, 2);
  return [networkOf(ip), `${site}:${home}/56`, `${site}/48`];
}

export const clientNetwork = (request: Pick<FastifyRequest, 'ip'>): string => networkOf(clientAddress(request));

/** The client's widest network, by which capacity is shared out. */
export const clientSite = (request: Pick<FastifyRequest, 'ip'>): string => {
  const networks = networksOf(clientAddress(request));
  return networks.at(-1) ?? networks[0];
};
