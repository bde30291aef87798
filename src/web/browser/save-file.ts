/** Gives the browser a file to keep. */
export function saveFile(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: filename }).click();
  URL.revokeObjectURL(url);
}
