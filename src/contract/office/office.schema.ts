import { z } from 'zod';
import { RIGHTS } from '#contract/accounts/roles.ts';
import { requiredLine, writtenText } from '#contract/platform/text.schema.ts';
import { MAX_TAG } from './tags.ts';

/** The entries of the office's menu with a count. */
export const MENU_PLACES = ['today', 'orders', 'stock', 'reviews', 'books'] as const;

/** Work that waits for staff, with counts. */
const Waiting = z.object({
  id: z.string(),
  label: z.string(),
  count: z.int().describe('Counted up to `most`'),
  /** Null if all are counted. */
  most: z.int().nullable(),
  path: z.string().describe('The screen that lists them'),
  place: z.enum(MENU_PLACES).describe('The menu’s entry that it belongs to'),
});
export type Waiting = z.infer<typeof Waiting>;

export const FailedJob = z.object({
  _id: z.string(),
  name: z.string().describe('What it does, in words'),
  reason: z.string(),
  at: z.string().describe('When it was queued'),
});
export type FailedJob = z.infer<typeof FailedJob>;

export const Today = z.object({
  waiting: z.array(Waiting).describe('Including those with a count of 0'),
  orders: z
    .object({
      waiting: z.int().describe('Orders that wait, each once, counted up to `most`'),
      most: z.int(),
      all: z.int().describe('All orders'),
    })
    .describe('An order may be in several lists'),
  rights: z.array(z.enum(RIGHTS)).describe('What the caller’s role allows'),
  failedJobs: z.array(FailedJob).describe('The latest jobs that failed for good'),
});
export type Today = z.infer<typeof Today>;

/** How many tags an order or a customer can have. */
export const MAX_TAGS = 10;

export const StaffTag = z.object({
  _id: z.string(),
  tag: z.string(),
  isOnCustomer: z.boolean().describe('On all orders of the customer'),
});
export const StaffTags = z.object({ tags: z.array(StaffTag).describe('Those of the order first, each in alphabetical order') });
export type StaffTags = z.infer<typeof StaffTags>;
export const KnownTags = z.object({ tags: z.array(z.string()).describe('In alphabetical order, 200 at most') });

const Tag = requiredLine('The tag', MAX_TAG).transform((tag) => tag.replace(/\s+/g, ' '));
export const TagBody = z.object({ tag: Tag });
export const OrderTagBody = TagBody.extend({ isOnCustomer: z.boolean('isOnCustomer must be true or false').default(false) });

/** How many notes an order or a customer can have. */
export const MAX_NOTES = 200;

export const StaffNote = z.object({
  _id: z.string(),
  createdAt: z.string(),
  actor: z.string(),
  text: z.string(),
  isAboutCustomer: z.boolean().describe('Shown on all orders of the customer'),
});
export type StaffNote = z.infer<typeof StaffNote>;
export const StaffNotes = z.object({ notes: z.array(StaffNote).describe('Newest first') });
export type StaffNotes = z.infer<typeof StaffNotes>;

export const NoteBody = z.object({
  text: writtenText('The note', 2_000).refine((text) => text !== '', 'Write a note.'),
});
export const OrderNoteBody = NoteBody.extend({
  isAboutCustomer: z.boolean('isAboutCustomer must be true or false').default(false),
});
