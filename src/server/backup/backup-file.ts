import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Line } from './backup.ts';

const CHUNK = 256 * 1024;
/** Upper bound for a line: far above the largest picture or batch of rows. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 10;

/** The error for a file that differs from what `sealLines` wrote. */
const damaged = (how: string) => new Error(`The file is damaged: ${how}. Nothing was restored.`);

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const seal = (line: object) => {
  const json = JSON.stringify(line);
  return `${sha256(json)} ${json}\n`;
};

/** Serialises a backup. Each line starts with its SHA-256; the last also has the SHA-256 of all lines before it. */
export async function* sealLines(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  const wholeHash = createHash('sha256');
  for await (const line of lines) {
    if ('end' in line) {
      yield seal({ ...line, sha256: wholeHash.digest('hex') });
      return;
    }
    const text = seal(line);
    wholeHash.update(text);
    yield text;
  }
}

/** The pieces of a stream that unpacks a file. */
async function* piecesOf(unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* unpacked;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged('it cannot be unpacked') : error;
  }
}

/** Splits a stream into lines with their line breaks; holds one line at a time. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, piece.subarray(from, at + 1)]);
      parts = [];
      length = 0;
      from = at + 1;
    }
    parts.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) throw damaged('a line has no end');
  }
  if (length > 0) throw damaged('the last line is cut off');
}

/** Reads a line of `seal`: 64 hex digits, a space, the JSON and a line break. */
function unseal(text: Buffer): Line {
  if (text.subarray(0, 9).toString() === '{"format"')
    throw new Error('This backup has no checksums, because an earlier version made it. Restore it with that version, then start this one.');
  const json = text.subarray(65, -1);
  if (text.subarray(0, 64).toString() !== sha256(json)) throw damaged('a part is not what was written');
  return JSON.parse(json.toString()) as Line;
}

/**
 * Reads a backup, holding one line at a time. Each line is verified before it is yielded; missing or extra lines are only detected at the
 * end. Throws an Error for a damaged file.
 */
export async function* readSealed(file: string): AsyncGenerator<Line> {
  const { size } = await stat(file);
  const unpacked = createGunzip({ chunkSize: CHUNK });
  // Errors of either stream surface in the loop below.
  pipeline(createReadStream(file, { highWaterMark: CHUNK }), unpacked, () => undefined);
  const wholeHash = createHash('sha256');
  let hasEnded = false;
  for await (const text of linesOf(piecesOf(unpacked))) {
    if (hasEnded) throw damaged('it goes on after its end');
    const line = unseal(text);
    if ('end' in line) {
      hasEnded = true;
      if (line.sha256 !== wholeHash.digest('hex')) throw damaged('parts are missing, or from elsewhere');
    } else {
      wholeHash.update(text);
    }
    yield line;
  }
  if (!hasEnded) throw damaged('its end is missing');
  // Unpacking stops at the archive's end, so trailing bytes would go unnoticed.
  if (unpacked.bytesWritten !== size) throw damaged('it goes on after its end');
}
