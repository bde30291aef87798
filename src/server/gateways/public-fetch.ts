import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { Problem } from '#contract/platform/problem.ts';

/** Special-purpose networks (IANA registries): private, shared, loopback, link-local, documentation, benchmarking, multicast, reserved, tunnels. */
const SPECIAL = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
];
const NOT_PUBLIC = new BlockList();
for (const network of SPECIAL.join(' ').split(' ')) {
  const [address = '', bits] = network.split('/');
  NOT_PUBLIC.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
}
/** The only range of IPv6 that is given out for the public internet. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address belongs to the public internet, and not to this machine or its network. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !NOT_PUBLIC.check(ip, 'ipv4');
  return isIP(ip) === 6 && PUBLIC_6.check(ip, 'ipv6') && !NOT_PUBLIC.check(ip, 'ipv6');
}

export interface FetchRules {
  mostBytes: number;
  /** Tests serve from their own machine. */
  mayReach?: (ip: string) => boolean;
  ca?: string;
  port?: number;
}

const TIMEOUT_MS = 20_000;
const MOST_REDIRECTS = 3;

/** The URL of an address that may be fetched. Throws 400. */
function urlOf(address: string, port: number): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') throw new Problem(400, 'Only addresses that begin with https:// are fetched.');
  if (url.username || url.password) throw new Problem(400, 'An address with a password is not fetched.');
  if (Number(url.port || 443) !== port) throw new Problem(400, 'An address with a port number is not fetched.');
  return url;
}

interface Outgoing {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends a request to the public internet. The host name is resolved once, all its IP addresses are checked, and the connection goes to one of them: a
 * second DNS answer cannot lead into this network. Throws 400 for an address that may not be asked, other errors if a retry may work.
 */
async function askPublic<T>(
  address: string,
  { method, headers, body }: Outgoing,
  { mayReach = isPublicAddress, ca, port = 443 }: Omit<FetchRules, 'mostBytes'>,
  read: (reply: IncomingMessage, host: string) => Promise<T>,
): Promise<T> {
  const url = urlOf(address, port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
  const [first] = addresses;
  if (!first || addresses.some((one) => !mayReach(one.address)))
    throw new Problem(400, `${host} is not an address of the public internet.`);
  const checkedLookup: LookupFunction = (_, { all }, done) => (all ? done(null, addresses) : done(null, first.address, first.family));
  return new Promise<T>((resolve, reject) => {
    const options = {
      method,
      headers,
      lookup: checkedLookup,
      ca,
      timeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      agent: false,
    };
    const sending = https.request(url, options, (reply) => {
      reply.on('error', reject);
      read(reply, host)
        .finally(() => reply.destroy())
        .then(resolve, reject);
    });
    sending.on('timeout', () => sending.destroy(new Error(`${host} did not answer in time.`)));
    sending.on('error', reject);
    sending.end(body);
  });
}

/** The body of an answer, or where it redirects to. */
async function readReply(reply: IncomingMessage, host: string, { address, mostBytes }: { address: string; mostBytes: number }) {
  const { statusCode = 0, headers } = reply;
  if (statusCode >= 300 && statusCode < 400 && headers.location) {
    if (!URL.canParse(headers.location, address)) throw new Problem(400, `${host} redirects to an address that cannot be read.`);
    return { location: new URL(headers.location, address).href, body: Buffer.alloc(0) };
  }
  if (statusCode >= 500 || statusCode === 429) throw new Error(`${host} answered ${statusCode}.`);
  if (statusCode !== 200) throw new Problem(400, `${host} answered ${statusCode}.`);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of reply as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > mostBytes) throw new Problem(413, `The file is larger than ${mostBytes / 1024 / 1024} MB.`);
  }
  return { body: Buffer.concat(parts) };
}

/** Fetches a file from the public internet, after at most three redirects. Throws a Problem if a retry would fail as well, other errors if a retry may work. */
export async function fetchPublic(address: string, rules: FetchRules, redirects = MOST_REDIRECTS): Promise<Buffer> {
  const { mostBytes } = rules;
  const { location, body } = await askPublic(address, { method: 'GET', headers: { accept: 'image/*' } }, rules, (reply, host) =>
    readReply(reply, host, { address, mostBytes }),
  );
  if (location === undefined) return body;
  if (redirects === 0) throw new Problem(400, 'The address redirects too often.');
  return fetchPublic(location, rules, redirects - 1);
}

/** Posts a text to the public internet and returns the status of the answer, which is not read and whose redirects are not followed. */
export const postPublic = (
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  rules: Omit<FetchRules, 'mostBytes'>,
): Promise<number> => askPublic(address, { method: 'POST', headers, body }, rules, async ({ statusCode = 0 }) => statusCode);
