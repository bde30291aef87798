/** The first stop of the keyboard: past the header, to the page. */
export function SkipLink() {
  return (
    <a href="#main" className="btn btn-primary sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50">
      Skip to content
    </a>
  );
}
