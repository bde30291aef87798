/** Escapes text for the HTML of a mail: every character that could end it is written as a number. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
