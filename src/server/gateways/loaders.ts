import sharp from 'sharp';

// Only worker processes load this module, before they decode anything.

// No other format is opened: an SVG of 2 KB can take minutes to render, and reading its size already renders it.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}Buffer`) });

/** Cameras write at most ten, and programs that compress for size about fifteen. */
const MAX_SCANS = 30;

const SOS = 0xda;
const EOI = 0xd9;
/** Markers without a length: start, restarts, and 0xff as a filler. */
const isAlone = (marker: number): boolean => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || marker === 0xff;

/** Whether a JPEG has more scans than any camera writes. Each is a walk through the whole picture, so a small file can take minutes. */
export function hasManyScans(bytes: Buffer): boolean {
  let scans = 0;
  let at = bytes.indexOf(0xff);
  while (at !== -1 && at + 4 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === EOI) return false;
    if (marker === SOS) scans += 1;
    if (scans > MAX_SCANS) return true;
    at = bytes.indexOf(0xff, isAlone(marker) ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2));
  }
  return false;
}
