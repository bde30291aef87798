import { ButtonLink } from '#web/ui/button.tsx';
import { Meta } from './meta.tsx';

/** Any path that is not in the route table (specification §2). */
export function Component() {
  return (
    <main id="main" className="container-page py-section text-center">
      <Meta title="Page not found | Hearth & Oak" noindex />
      <h1>Sorry, Page not Found</h1>
      <p>The address may be mistyped, or what stood here is no longer sold.</p>
      <ButtonLink to="/">Back to the home page</ButtonLink>
    </main>
  );
}
