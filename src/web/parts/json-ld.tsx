import { scriptSafeJson } from '#contract/platform/script-json.ts';

/** Structured data for search engines, written by the server only: the browser keeps what it finds. */
export function JsonLd({ data }: { data: object | undefined }) {
  const content = { __html: import.meta.env.SSR && data ? scriptSafeJson(data) : '' };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape quotes, and the JSON would no longer be JSON; what could end the element is escaped.
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={content} />;
}
