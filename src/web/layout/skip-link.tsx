export function SkipLink() {
  return (
    <a href="#main" className="btn btn-primary absolute left-2 top-2 z-50 not-focus:sr-only">
      Skip to content
    </a>
  );
}
