import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isProblem } from '#contract/platform/problem.ts';

/** The router's default error page (specification §2). */
export function RouterError() {
  const error = useRouteError();
  const text = isRouteErrorResponse(error)
    ? error.statusText
    : isProblem(error) || error instanceof Error
      ? error.message
      : 'Unknown error';
  return (
    <main id="main" className="container-page py-section">
      <title>Unexpected Application Error!</title>
      <h1>Unexpected Application Error!</h1>
      <p role="alert">{text}</p>
      <p>
        <a href="/">Back to the home page</a>
      </p>
    </main>
  );
}
