/** Whether a text is a GTIN (GS1: EAN-8, UPC-A, EAN-13 or GTIN-14) with the right check digit. */
export function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false;
  const digits = [...text].reverse().map(Number);
  // From the right, every second digit counts three times; with the check digit the sum is a multiple of ten.
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}
