import { timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { Problem } from '#contract/platform/problem.ts';
import { clientAddress } from '#server/platform/client-address.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { databaseUp, queueMetrics, type Resources, resourceMetrics } from './gauges.ts';
import type { Metrics } from './metrics.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers that proxies add: such a request is not from this machine, even if the proxy is. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

function isFromThisMachine(request: FastifyRequest): boolean {
  const address = clientAddress(request);
  return (
    FORWARDED.every((name) => request.headers[name] === undefined) &&
    isIP(address) !== 0 &&
    loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  );
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const [given, expected] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** With METRICS_TOKEN set, throws 401 without it; otherwise throws 404 for requests from other machines. */
function checkReader(request: FastifyRequest, token: string | undefined): void {
  if (token && !hasToken(request, token)) throw new Problem(401, 'Send the token of METRICS_TOKEN.');
  if (!token && !isFromThisMachine(request)) throw new Problem(404, 'Not found.');
}

interface MeasuredServices extends Resources {
  config: { metricsToken: string | undefined };
  db: Db;
  metrics: Metrics;
  /** Jobs that are listed even if none is queued. */
  jobNames: readonly string[];
}

/** `GET /metrics` of this process in Prometheus' text format, for this machine or with METRICS_TOKEN. It answers without the database too. */
export async function metricsRoutes(app: FastifyInstance, services: MeasuredServices): Promise<void> {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    checkReader(request, services.config.metricsToken);
    const queue = await queueMetrics(services.db, services.jobNames).catch((error: unknown) => {
      request.log.warn({ reason: (error as Error).message }, 'the job queue could not be counted');
      return databaseUp(false);
    });
    return reply
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await Registry.merge([services.metrics.registry, resourceMetrics(services), queue]).metrics());
  });
}
