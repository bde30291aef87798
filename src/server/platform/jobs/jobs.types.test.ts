import { expectTypeOf, test } from 'vitest';
import { declareJobs, enqueue, job, type PayloadOf } from './queue.ts';
import type { Tasks } from './runner.ts';

// The compiler is what tests here: each line below `@ts-expect-error` must be wrong.

const jobs = declareJobs({
  greet: job<{ name: string }>({ label: 'Greet' }),
  sweep: job({ label: 'Sweep', at: { minute: 7 } }),
});

test('a job is queued with its payload, and its function gets the same', () => {
  expectTypeOf<PayloadOf<typeof jobs.greet>>().toEqualTypeOf<{ name: string }>();
  const tx = undefined as never;
  // Not called: it only has to compile.
  const queue = [
    () => enqueue(tx, jobs.greet, { name: 'Ann' }),
    // @ts-expect-error The name is a text.
    () => enqueue(tx, jobs.greet, { name: 7 }),
    // @ts-expect-error The name is missing.
    () => enqueue(tx, jobs.greet, {}),
  ];
  const greet = async (_services: unknown, { name }: { name: string }) => name;
  const sweep = async () => undefined;
  const tasks: Tasks<unknown, typeof jobs> = { greet, sweep };
  // @ts-expect-error A job has no function.
  const missing: Tasks<unknown, typeof jobs> = { greet };
  // @ts-expect-error A function reads what its job does not have.
  const wrong: Tasks<unknown, typeof jobs> = { greet, sweep: greet };
  expectTypeOf([queue, tasks, missing, wrong]).toBeArray();
});

test('the clock queues only a job without a payload', () => {
  // @ts-expect-error What name would it greet each minute?
  job<{ name: string }>({ label: 'Greet', at: {} });
  expectTypeOf<PayloadOf<typeof jobs.sweep>>().toEqualTypeOf<Record<string, never>>();
});
