import { Meta } from '#web/parts/meta.tsx';
import { Recommended } from '#web/shop/related/recommended.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

/** Any path that is not in the route table (specification §2). */
export function Component() {
  return (
    <main id="main" className="container-page grid gap-section py-section">
      <Meta title="Page not found" noindex />
      <div className="grid justify-items-center gap-4 text-center">
        <h1>Sorry, Page not Found</h1>
        <p className="max-w-prose text-soft">The address may be wrong, or we may no longer sell what was here.</p>
        <ButtonLink to="/" className="mt-2">
          Back to the home page
        </ButtonLink>
      </div>
      <Recommended />
    </main>
  );
}
