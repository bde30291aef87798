import { encode, renderUnicodeCompact } from 'uqr';

/** A QR code as the path of an SVG, a rectangle for each row's run of dark squares; `size` is the view box, with the quiet border that scanners need. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const rows = data.map((row, y) => {
    const line = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join('');
  });
  return { size, path: rows.join('') };
}

/** The same in block letters, light on dark as most terminals are. */
export const qrText = (text: string): string => renderUnicodeCompact(text, { ecc: 'L', border: 2 });
