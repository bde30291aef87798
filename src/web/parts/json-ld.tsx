import { scriptSafeJson } from '#contract/base/script-json.ts';

/** Structured data for search engines: a data block, which no policy against scripts forbids. */
export function JsonLd({ data }: { data: object }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape quotes, and the JSON would no longer be JSON; what could end the element is escaped.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptSafeJson(data) }} />;
}
