import { z } from 'zod';
import { namesIn, pageNumberOf, textOf } from './lists.ts';

/** The first text of a repeated query parameter. Numbers and booleans come from calls within the server. */
function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number' || typeof first === 'boolean') return String(first);
  return typeof first === 'string' ? first : undefined;
}

/** A query value as callers pass it; in a URL it is text. */
type QueryValue = string | number | boolean | null | undefined;

/** A query value that may be absent (`isAbsent`). */
export const optionalText = z.preprocess((value: QueryValue) => textOf(firstText(value)), z.string().optional());

/** A query value of alternative names joined by `_`. */
export const optionalNames = z.preprocess(
  (value: QueryValue) => namesIn([firstText(value) ?? '']).join('_') || undefined,
  z.string().optional(),
);

/** The longest search that is read: finding amounts in it takes time that grows faster than its length. */
const LONGEST_SEARCH = 200;

/** The text of a search; it may be absent. */
export const searchText = z.preprocess((value: QueryValue) => textOf(firstText(value))?.slice(0, LONGEST_SEARCH), z.string().optional());

/** A page number; missing or invalid values are page 1. */
export const PageNumber = z.preprocess((value: QueryValue) => pageNumberOf(firstText(value)), z.int().min(1).default(1));

/** A query value that is one of some names in any case; other values mean the first. */
export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.preprocess((value: QueryValue) => String(value ?? '').toLowerCase(), z.enum(names).catch(names[0]).default(names[0]));

/** An id, which is a UUID. */
export const Id = z.string();
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** No thing has this id. */
const UNKNOWN_ID = '00000000-0000-0000-0000-000000000000';
/**
 * The `:id` of a URL, in lower case, so that an answer is cached once however it is spelled. Any other text becomes an unknown id, since PostgreSQL would
 * raise an error for it.
 */
export const ById = z.object({ id: Id.overwrite((id) => (UUID.test(id) ? id.toLowerCase() : UNKNOWN_ID)) });
/** The `:id` of a URL that is no UUID, such as the secret of a link. */
export const ByText = z.object({ id: z.string() });

/** The fields of every paged reply, in addition to its rows. */
export const paging = { page: z.int(), pages: z.int(), total: z.int() };

/** The reply of a change without a result. */
export const Done = z.object({ message: z.string() });
export type Done = z.infer<typeof Done>;

/** An entry of the audit log. */
export const Change = z.object({ at: z.string(), actor: z.string(), change: z.string() });
export type Change = z.infer<typeof Change>;
