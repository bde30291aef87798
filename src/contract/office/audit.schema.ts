import { z } from 'zod';
import { Day } from '#contract/orders/periods.schema.ts';
import { AUDIT_KINDS, type AuditKind } from './audit.ts';

const Kind = z.enum(Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]]);

const FILTERS = {
  kind: Kind.optional(),
  actor: z.uuid('This is not an administrator.').optional().describe('The id of who did it'),
  from: Day.optional().describe('The first day, in the shop’s time'),
  to: Day.optional().describe('The last day'),
};

export const AuditFilters = z.object(FILTERS);

export const AuditQuery = z.object({
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

export const AuditEntry = z.object({
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

export const AuditPage = z.object({
  entries: z.array(AuditEntry).describe('Newest first'),
  isMore: z.boolean().describe('Whether there are older ones'),
  actors: z.array(Person).describe('Administrators, and the person asked for'),
});

export type AuditFilters = z.infer<typeof AuditFilters>;
export type AuditQuery = z.infer<typeof AuditQuery>;
export type AuditEntry = z.infer<typeof AuditEntry>;
export type AuditPage = z.infer<typeof AuditPage>;
