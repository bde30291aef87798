import { z } from 'zod';

/** `orderItems.0.postalCode` → `Postal code`, `lines.0` → `Entry 1 of lines`: the last name on the way to a value, as people write it. */
function labelOf(path: readonly PropertyKey[] = []): string {
  const entry = path.at(-1);
  const name = nameOf(path);
  return typeof entry === 'number' && name !== 'This' ? `Entry ${entry + 1} of ${name.toLowerCase()}` : name;
}

function nameOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string' && !/^\d+$/.test(part));
  if (name === undefined || !/^[A-Za-z]+$/.test(String(name))) return 'This';
  const words = String(name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'named fields',
  record: 'named fields',
};

const NO_FIELDS = 'The request must consist of named fields, not of a list or a single value.';

const bound = (issue: { origin?: string; minimum?: unknown; maximum?: unknown }, end: 'minimum' | 'maximum'): string => {
  const least = end === 'minimum';
  const limit = Number(issue[end]).toLocaleString('en-GB');
  if (issue.origin === 'string') return least ? `is too short: at least ${limit} characters` : `is too long: at most ${limit} characters`;
  if (issue.origin === 'array') return least ? `needs at least ${limit} entries` : `can have at most ${limit} entries`;
  return least ? `must be at least ${limit}` : `can be at most ${limit}`;
};

/** A sentence for the person who sent an invalid value; a schema's own message comes first. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const label = labelOf(issue.path);
  if (issue.code === 'invalid_type' && issue.expected === 'object' && !issue.path?.length) return NO_FIELDS;
  if (issue.code === 'invalid_type')
    return `${label} ${issue.input == null ? 'is required' : `must be ${KINDS[issue.expected] ?? 'something else'}`}.`;
  if (issue.code === 'too_small') return `${label} ${bound(issue, 'minimum')}.`;
  if (issue.code === 'too_big') return `${label} ${bound(issue, 'maximum')}.`;
  if (issue.code === 'invalid_value') return `${label} must be one of: ${issue.values.map(String).join(', ')}.`;
  // The first form of a union is the usual one.
  if (issue.code === 'invalid_union') return issue.errors[0]?.[0]?.message ?? `${label} cannot be read.`;
  if (issue.code === 'invalid_format' && issue.format === 'email') return `${label} is invalid.`;
  if (issue.code === 'unrecognized_keys') return `${label} has a field that we do not recognise.`;
  return `${label} cannot be read.`;
}

// The policy of the shop's pages forbids code made from text, with which zod is faster on the server.
z.config({ customError: sentenceOf, jitless: 'document' in globalThis });

/** More wrong fields than any form has. */
const MOST_ERRORS = 100;

/** The first message, and the first of each field by its path. A message about the whole value has no field. */
export function wordsOf(error: z.ZodError): { message: string; errors: Record<string, string> } {
  const errors = new Map<string, string>();
  for (const { path, message } of error.issues.slice(0, MOST_ERRORS)) {
    const name = path.join('.');
    if (name !== '' && !errors.has(name)) errors.set(name, message);
  }
  return { message: error.issues[0]?.message ?? 'The request cannot be read.', errors: Object.fromEntries(errors) };
}
