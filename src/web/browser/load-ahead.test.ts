import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { loadAhead } from './load-ahead.ts';

/** Routes that write down what is loaded and answer when they are told to. */
function pages() {
  const loaded: string[] = [];
  const answers: (() => void)[] = [];
  const loader = ({ request }: { request: Request }) => {
    loaded.push(new URL(request.url).pathname);
    return new Promise<null>((resolve) => answers.push(() => resolve(null)));
  };
  const routes: RouteObject[] = [
    { path: '/page/:id', lazy: async () => ({ loader }) },
    {
      path: '/broken',
      lazy: async () => {
        loaded.push('/broken');
        throw new Error('No such file.');
      },
    },
  ];
  const answer = () => {
    for (const settle of answers.splice(0)) settle();
  };
  return { routes, loaded, answer };
}

test('a page is loaded ahead once while it is fresh, and two at a time at most', async () => {
  const { routes, loaded, answer } = pages();
  const first = loadAhead('http://shop/page/1', routes);
  await loadAhead('http://shop/page/1', routes);
  const second = loadAhead('http://shop/page/2', routes);
  await loadAhead('http://shop/page/3', routes);
  await expect.poll(() => loaded).toEqual(['/page/1', '/page/2']);
  answer();
  await Promise.all([first, second]);
  const third = loadAhead('http://shop/page/3', routes);
  await expect.poll(() => loaded).toEqual(['/page/1', '/page/2', '/page/3']);
  answer();
  await third;
});

test('what fails ahead is nobody’s business, and is tried again', async () => {
  const { routes, loaded } = pages();
  await loadAhead('http://shop/broken', routes);
  await loadAhead('http://shop/broken', routes);
  await loadAhead('http://shop/nowhere', routes);
  expect(loaded).toEqual(['/broken', '/broken']);
});
