import { type ComponentType, lazy, Suspense } from 'react';
import { loadPatiently } from '#web/browser/code.ts';

/**
 * A part of a page whose code the browser loads by itself, when it is drawn. The server has all code: it says which component that is, and draws
 * it at once (`drawAtOnce`, before the first page).
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Drawn: ComponentType<Props> = lazy(async () => ({ default: await loadPatiently(load) }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when its module is loaded.
  function Part(props: Props) {
    return (
      <Suspense fallback={null}>
        <Drawn {...props} />
      </Suspense>
    );
  }
  const drawAtOnce = (component: ComponentType<Props>) => {
    Drawn = component;
  };
  return { Part, drawAtOnce };
}
