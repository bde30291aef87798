import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GENERIC_MESSAGE, isProblem, type Problem } from '#contract/platform/problem.ts';
import { databaseProblem } from '#server/platform/database/connect.ts';
import { type Reporting, reportError } from '#server/platform/telemetry/error-reports.ts';
import type { DatabaseDisk } from './database-disk.ts';

type Answer = Pick<Problem, 'status' | 'message' | 'errors' | 'retryAfter'>;

const answer = (status: number, message: string, retryAfter?: number): Answer => ({ status, message, errors: undefined, retryAfter });

const CANNOT_BE_READ = 'The request cannot be read.';

const clientErrors: Record<number, string> = {
  400: CANNOT_BE_READ,
  404: 'Not found.',
  413: 'That is too large.',
  415: 'That type of content is not accepted.',
};

function answerTo(error: FastifyError | Problem): Answer {
  if (isProblem(error)) return error;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return answer(status, clientErrors[status] ?? error.message);
  // Text with a zero byte, which PostgreSQL cannot store.
  if (error.code === '22021' || error.code === '22P05') return answer(400, CANNOT_BE_READ);
  // The account was deleted during this request of its owner.
  if (error.code === '23503' && 'constraint' in error && /^(sessions|orders)_user_id_fkey$/.test(String(error.constraint)))
    return answer(401, 'Please log in.');
  // A number out of its column's range.
  if (error.code === '22003') return answer(400, 'A number is too large.');
  return databaseProblem(error) ?? answer(500, GENERIC_MESSAGE);
}

/** Answers a failure as JSON with a message (clarifications on the API). Unexpected errors are reported and answered without their details. */
export function sendError(services: Reporting, error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, errors, retryAfter } = answerTo(error);
  // A Problem with a cause, such as a failing store of pictures, is reported with it.
  const isExpected = isProblem(error) && !error.cause;
  if (status >= 500 && !isExpected) {
    const cause = (error.cause ?? error) as Error;
    reportError(services, { source: 'server', error: cause, requestId: request.id, place: request.routeOptions.url });
  }
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ message, ...(errors && { errors }) });
}

/** Sets the error handler. `disk` gets each error, and recognises those of a full disk. */
export function answerErrors(app: FastifyInstance, services: Reporting, disk: DatabaseDisk): void {
  app.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    disk.notice(error);
    return sendError(services, error, request, reply);
  });
}

const REASONS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Answers a request that cannot be parsed, or does not end, in the same shape, and closes the connection. */
export function answerUnparsed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = REASONS[error.code ?? ''] ?? ['400 Bad Request', CANNOT_BE_READ];
  const body = JSON.stringify({ message });
  const head = ['content-type: application/json; charset=utf-8', `content-length: ${body.length}`, 'connection: close'];
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
