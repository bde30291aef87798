/** Escapes text for HTML: markup characters become numeric references. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Characters that XML 1.0 cannot hold, not even escaped. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text as content or attribute of XML. */
export const escapeXml = (text: string): string => escapeHtml(text.replace(NO_XML, ''));
