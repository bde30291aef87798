import { z } from 'zod';
import { namesIn, pageNumberOf, textOf } from './lists.ts';

/** The first of a query value's texts: a repeated parameter counts once. Numbers and booleans come from calls inside the server. */
function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number' || typeof first === 'boolean') return String(first);
  return typeof first === 'string' ? first : undefined;
}

/** A query value as callers give it; in an address it is a text. */
type QueryValue = string | number | boolean | null | undefined;

/** A query value that may be absent in any of the ways in which clients say so. */
export const optionalText = z.preprocess((value: QueryValue) => textOf(firstText(value)), z.string().optional());

/** A query value that joins several names by `_`, any of which will do. */
export const optionalNames = z.preprocess(
  (value: QueryValue) => namesIn([firstText(value) ?? '']).join('_') || undefined,
  z.string().optional(),
);

/** So many characters of a search are read. Nobody types more, and what looks for amounts in it takes time that grows faster than its length. */
const LONGEST_SEARCH = 200;

/** What is searched for; absent in the same ways. */
export const searchText = z.preprocess((value: QueryValue) => textOf(firstText(value))?.slice(0, LONGEST_SEARCH), z.string().optional());

/** A page number: what is missing, below 1 or not a whole number is page 1. */
export const PageNumber = z.preprocess((value: QueryValue) => pageNumberOf(firstText(value)), z.int().min(1).default(1));

/** A query value that is one of some names, in capitals or not; any other means the first. */
export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.preprocess((value: QueryValue) => String(value ?? '').toLowerCase(), z.enum(names).catch(names[0]).default(names[0]));

/** The id of anything: a UUID. Another text names nothing, so it is answered like an unknown id. */
export const Id = z.string();
/** The `:id` of an address. */
export const ById = z.object({ id: Id });

/** What every paged reply carries beside its rows. */
export const paging = { page: z.int(), pages: z.int(), total: z.int() };

/** The reply of a change that has nothing to say but that it was done. */
export const Done = z.object({ message: z.string() });
export type Done = z.infer<typeof Done>;

/** Who changed what in the back office, and when. */
export const Change = z.object({ at: z.string(), actor: z.string(), change: z.string() });
export type Change = z.infer<typeof Change>;
