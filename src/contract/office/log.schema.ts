import { z } from 'zod';
import { Day } from '#contract/orders/periods.schema.ts';
import { LOG_KINDS, type LogKind } from './log.ts';

const Kind = z.enum(Object.keys(LOG_KINDS) as [LogKind, ...LogKind[]]);

const FILTERS = {
  kind: Kind.optional(),
  actor: z.uuid('This is not an administrator.').optional().describe('The id of who did it'),
  from: Day.optional().describe('The first day, in the shop’s time'),
  to: Day.optional().describe('The last day'),
};

export const LogFilters = z.object(FILTERS);

export const LogQuery = z.object({
  ...FILTERS,
  before: z.coerce
    .number<string>()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Only entries older than the one with this id'),
});

const Person = z.object({ _id: z.string(), name: z.string() });

export const LogEntry = z.object({
  _id: z.int(),
  at: z.string(),
  kind: Kind,
  actor: z.object({
    _id: z.string().nullable().describe('null for commands, for the shop itself and for unknown people'),
    name: z.string(),
  }),
  subject: z.object({ _id: z.string(), name: z.string() }).nullable().describe('What was changed, if it still exists'),
  change: z.string(),
  from: z.string().nullable().describe('The network address'),
});

export const LogPage = z.object({
  entries: z.array(LogEntry).describe('Newest first'),
  isMore: z.boolean().describe('Whether there are older ones'),
  actors: z.array(Person).describe('Administrators, and the person asked for'),
});

export type LogFilters = z.infer<typeof LogFilters>;
export type LogQuery = z.infer<typeof LogQuery>;
export type LogEntry = z.infer<typeof LogEntry>;
export type LogPage = z.infer<typeof LogPage>;
