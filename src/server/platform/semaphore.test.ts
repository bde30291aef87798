import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Work that ends when the test says so. */
function aTask() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begin = () => {
    task.hasBegun = true;
    return ended;
  };
  const task = { hasBegun: false, end: () => end(), work: begin };
  return task;
}

test('so much work runs at once, the rest in the order in which it came', async () => {
  const semaphore = new Semaphore(2, 10);
  const tasks = Array.from({ length: 4 }, aTask);
  const all = tasks.map(({ work }, n) => semaphore.run(`network ${n}`, work));
  const begun = () => tasks.map(({ hasBegun }) => hasBegun);
  await setImmediate();
  expect(begun()).toEqual([true, true, false, false]);
  tasks[1]?.end();
  await all[1];
  await setImmediate();
  expect(begun()).toEqual([true, true, true, false]);
  for (const { end } of tasks) end();
  await Promise.all(all);
  expect(begun()).toEqual([true, true, true, true]);
});

test('where the queue is full the answer is 503 with the seconds to wait, and there is room again afterwards', async () => {
  const semaphore = new Semaphore(1, 2);
  const task = aTask();
  const all = ['one', 'two', 'three'].map((network) => semaphore.run(network, task.work));
  await expect(semaphore.run('four', task.work)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
  task.end();
  await Promise.all(all);
  await expect(semaphore.run('four', async () => 'done')).resolves.toBe('done');
});

test('one network fills half of the queue at most; others still get in', async () => {
  const semaphore = new Semaphore(1, 4);
  const task = aTask();
  const all = ['flood', 'flood', 'flood'].map((network) => semaphore.run(network, task.work));
  await expect(semaphore.run('flood', task.work)).rejects.toMatchObject({ status: 503 });
  all.push(semaphore.run('somebody else', task.work));
  task.end();
  await Promise.all(all);
});

test('work that fails gives its place back', async () => {
  const semaphore = new Semaphore(1, 0);
  await expect(semaphore.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(semaphore.run('one', async () => 'done')).resolves.toBe('done');
});
