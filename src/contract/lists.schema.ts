import { z } from 'zod';

/** Older clients send absent values as these words (clarifications on lists). */
const ABSENT = new Set(['', 'null', 'undefined']);

/** A query value that may be absent in any of the ways clients say so; repeated parameters count once, the first. */
export const optionalText = z.preprocess((value) => {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number' || typeof first === 'boolean') return String(first);
  return typeof first === 'string' && !ABSENT.has(first.trim()) ? first.trim().replaceAll('\0', '').slice(0, 200) : undefined;
}, z.string().optional());

/** A page number: what is missing, below 1 or not a whole number is page 1. */
export const PageNumber = z.preprocess((value) => {
  const text = String(Array.isArray(value) ? value[0] : value).trim();
  return /^\d+$/.test(text) ? Math.max(1, Math.min(Number(text), 1_000_000_000)) : 1;
}, z.int().min(1));

/** The id of anything: a UUID. Another text names nothing, so it is answered like an unknown id. */
export const Id = z.string().max(100);

/** What every paged reply carries beside its rows. */
export const paging = { page: z.int(), pages: z.int(), total: z.int() };

/** The reply of a change that has nothing to say but that it was done. */
export const Done = z.object({ message: z.string() });

/** Who changed what in the back office, and when. */
export const Change = z.object({ at: z.string(), actor: z.string(), change: z.string() });
