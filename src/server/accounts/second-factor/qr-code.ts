import { encode, renderUnicodeCompact } from 'uqr';

/** A QR code as an SVG path, one rectangle per run of dark squares. `size` is the view box, including the quiet zone that scanners need. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const rows = data.map((row, y) => {
    const line = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('');
  });
  return { size, path: rows.join('') };
}

/** A QR code in block characters, light on dark for terminals. */
export const qrText = (text: string): string => renderUnicodeCompact(text, { ecc: 'L', border: 2 });
