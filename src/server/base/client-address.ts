import type { FastifyRequest } from 'fastify';

/**
 * The network address of whoever asks. Node forgets it with the connection (`ip` is then undefined, whatever its type says), and a client may
 * be gone before its request is dealt with: all of those count as one, and nobody reads what they are answered.
 */
export const clientAddress = ({ ip }: Pick<FastifyRequest, 'ip'>): string => (ip as string | undefined) ?? 'gone';
