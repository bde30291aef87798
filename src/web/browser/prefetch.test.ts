import { type RouteObject, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { prefetchPage } from './prefetch.ts';

const context = new RouterContextProvider();

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

test('a page is prefetched once in ten seconds, and two at a time at most', async () => {
  const { routes, loaded, answer } = pages();
  const first = prefetchPage('http://shop/page/1', routes, context);
  await prefetchPage('http://shop/page/1', routes, context);
  const second = prefetchPage('http://shop/page/2', routes, context);
  await prefetchPage('http://shop/page/3', routes, context);
  await expect.poll(() => loaded).toEqual(['/page/1', '/page/2']);
  answer();
  await Promise.all([first, second]);
  const third = prefetchPage('http://shop/page/3', routes, context);
  await expect.poll(() => loaded).toEqual(['/page/1', '/page/2', '/page/3']);
  answer();
  await third;
});

test('a prefetch that fails is tried again', async () => {
  const { routes, loaded } = pages();
  await prefetchPage('http://shop/broken', routes, context);
  await prefetchPage('http://shop/broken', routes, context);
  await prefetchPage('http://shop/nowhere', routes, context);
  expect(loaded).toEqual(['/broken', '/broken']);
});
