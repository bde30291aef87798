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

/** Work of networks, which is noted as it begins and ends with the next turn of the event loop. */
function aRecorder(semaphore: Semaphore) {
  const begun: string[] = [];
  const run = (name: string) =>
    semaphore
      .run(name.charAt(0), async () => {
        begun.push(name);
        await setImmediate();
      })
      .catch(({ status }) => status as number);
  return { begun, run };
}

test('networks take turns, however much one of them has sent before', async () => {
  const { begun, run } = aRecorder(new Semaphore(1, 10));
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(run));
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('the next place goes to the network with the least running', async () => {
  const semaphore = new Semaphore(3, 10);
  const tasks = Array.from({ length: 6 }, aTask);
  const all = tasks.map(({ work }, n) => semaphore.run('aabaca'.charAt(n), work));
  tasks[0]?.end();
  await all[0];
  await setImmediate();
  expect(tasks.map(({ hasBegun }) => hasBegun)).toEqual([true, true, true, false, true, false]);
  for (const { end } of tasks) end();
  await Promise.all(all);
});

test('where the queue is full the network with the most in it makes room for the others, up to its fair share', async () => {
  const { begun, run } = aRecorder(new Semaphore(1, 6));
  const names = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'b2', 'b3', 'b4', 'c1', 'c2', 'c3', 'd1'];
  const replies = await Promise.all(names.map(run));
  expect(names.filter((_, n) => replies[n] === 503)).toEqual(['a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b3', 'b4', 'c3']);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'd1', 'b2', 'c2']);
});

test('three hundred searches of one network keep another waiting for one place, not for three hundred', async () => {
  const { begun, run } = aRecorder(new Semaphore(2, 40));
  await Promise.all([...Array.from({ length: 300 }, (_, n) => run(`a${n}`)), run('b')]);
  expect(begun.indexOf('b')).toBeLessThanOrEqual(3);
});

test('work that is given up while it waits leaves its place in the queue to others, and never begins', async () => {
  const semaphore = new Semaphore(1, 1);
  const [first, given, next] = [aTask(), aTask(), aTask()];
  const running = semaphore.run('a', first.work);
  const controller = new AbortController();
  const refused = expect(semaphore.run('b', given.work, controller.signal)).rejects.toThrow('the sender left');
  controller.abort(new Error('the sender left'));
  await refused;
  expect(semaphore.isAwaited).toBe(false);
  await expect(semaphore.run('b', given.work, controller.signal)).rejects.toThrow('the sender left');
  const waiting = semaphore.run('c', next.work);
  first.end();
  next.end();
  await Promise.all([running, waiting]);
  expect([given.hasBegun, next.hasBegun]).toEqual([false, true]);
});

test('work that fails gives its place back', async () => {
  const semaphore = new Semaphore(1, 0);
  await expect(semaphore.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(semaphore.run('one', async () => 'done')).resolves.toBe('done');
});

test('work whose turn does not come in time is refused and leaves its place; work may end its turn before it ends', async () => {
  const semaphore = new Semaphore(1, 10, 50);
  const task = aTask();
  const first = semaphore.run('a', task.work);
  await expect(semaphore.run('b', async () => 'done')).rejects.toMatchObject({ status: 503, retryAfter: 5 });
  task.end();
  await first;
  const lasting = aTask();
  const second = semaphore.run('c', (leave) => {
    leave();
    return lasting.work();
  });
  await expect(Promise.all([semaphore.run('d', async () => 'done'), semaphore.run('d', async () => 'done')])).resolves.toEqual([
    'done',
    'done',
  ]);
  lasting.end();
  await second;
  // Leaving twice frees one place, not two.
  const [one, other] = [aTask(), aTask()];
  const all = [semaphore.run('e', one.work), semaphore.run('f', other.work)];
  await setImmediate();
  expect([one.hasBegun, other.hasBegun]).toEqual([true, false]);
  one.end();
  other.end();
  await Promise.all(all);
});
