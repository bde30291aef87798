import { scriptSafeJson } from '#contract/platform/script-json.ts';

/**
 * Structured data for search engines: a data block, which no policy against scripts forbids. Only the server writes it, and hands it in; the
 * browser leaves what it finds, and need not know how it is made.
 */
export function JsonLd({ data }: { data: object | undefined }) {
  const content = { __html: import.meta.env.SSR && data ? scriptSafeJson(data) : '' };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape quotes, and the JSON would no longer be JSON; what could end the element is escaped.
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={content} />;
}
