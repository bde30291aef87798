/** Structured data for search engines: a data block, which no policy against scripts forbids. What could end the element is written as an escape. */
export function JsonLd({ data }: { data: object }) {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape quotes, and the JSON would no longer be JSON; it is escaped above.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
