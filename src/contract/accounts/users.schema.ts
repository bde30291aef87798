import { z } from 'zod';
import { Change, Done, oneOf, optionalText, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { STAFF_ROLES } from './roles.ts';

export const Email = z
  .string('Email is required')
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Email is invalid')
  .email('Email is invalid');
export const Name = requiredLine('Name', 100);
/** At least 8 characters (clarifications on accounts); the upper bound keeps hashing cheap. */
export const Password = z.string('Password is required').min(8, 'Password must be at least 8 characters').max(200, 'Password is too long');
/** The secret of the link in a code's mail, sent in place of the code: about 197 random bits. Letters only, so that no digits look like the code. */
const LINK = /^[a-z]{42}$/;
export const isLink = (otp: string): boolean => LINK.test(otp);
/** Spaces and hyphens are ignored. */
const Otp = z
  .string('The code is required')
  .overwrite((text) => text.replace(/[\s-]/g, ''))
  .refine((text) => /^\d{6}$/.test(text) || isLink(text), 'The code has 6 digits');

/**
 * A device token: at least 128 random bits, made and kept by the browser. After a login the account knows it, and others' wrong passwords no longer
 * lock it out. A malformed one is ignored.
 */
export const Device = z
  .string()
  .regex(/^[\w-]{22,100}$/)
  .optional()
  .catch(undefined);

export const Session = z.object({ _id: z.string(), name: z.string(), email: z.string(), isAdmin: z.boolean(), token: z.string() });
export const User = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  createdAt: z.string(),
});
export const StaffRole = z.enum(STAFF_ROLES, `The role must be one of ${STAFF_ROLES.join(', ')}.`);
export const EditedUser = User.extend({
  updatedAt: z.string(),
  /** What an administrator may do; ignored for others. */
  staffRole: StaffRole,
});

export const LoginBody = z.object({
  email: z.string('Email is required').trim().min(1, 'Email is required').max(254),
  password: z.string('Password is required').min(1, 'Password is required').max(200),
  /** Of the second factor; empty until a response asks for it. */
  code: z.string('The code is required').trim().max(100, 'This code is wrong. Please try again.').optional(),
  device: Device,
});

export const RegisterBody = z.object({ name: Name, email: Email, password: Password, device: Device });
/** An empty email or password does not change it. A new one requires the current password (clarifications, account changes). */
export const ProfileBody = z.object({
  name: Name,
  email: z.union([Email, z.literal('')]).optional(),
  password: z.union([Password, z.literal('')]).optional(),
  currentPassword: z.string('Current password is required').max(200, 'Current password is wrong').optional(),
  device: Device,
});
/** The token of a link in a mail. */
export const ConfirmAddressBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });
export const ForgotPasswordBody = z.object({ email: Email, device: Device });
/** `nextCodeIn`: seconds until another code can be requested. */
export const CodeRequested = Done.extend({ nextCodeIn: z.int() });
export const VerifyOtpBody = z.object({ email: Email, otp: Otp, device: Device });
export const ResetPasswordBody = z.object({ email: Email, otp: Otp, newPassword: Password, device: Device });

export const ListUsersQuery = z.object({
  pageNumber: PageNumber,
  search: searchText,
  /** `admin` or `customer`; any other text means all. */
  role: optionalText,
  tag: optionalText,
  sortBy: oneOf(['newest', 'name', 'email']),
});
export const UserList = z.object({ users: z.array(User.extend({ tags: z.array(z.string()).describe('Of staff') })), ...paging });
export const UserDetail = EditedUser.extend({
  orderCount: z.int(),
  spent: z.int(),
  /** Whether anybody has proven that this email address is theirs. */
  isConfirmed: z.boolean(),
  changes: z.array(Change),
});
export const HeldData = z.record(z.string(), z.unknown());
export const EraseBody = z.object({
  /** Also with orders that are not delivered yet. */
  isForced: z.boolean('isForced must be true or false').default(false),
});
export const EditUserBody = z.object({
  name: Name,
  email: Email,
  isAdmin: z.boolean('isAdmin must be true or false'),
  /** Left out, it stays; a new administrator is an owner. */
  staffRole: StaffRole.optional(),
  /** `updatedAt` of the user in the form: 409 if it was changed since (optimistic locking). */
  updatedAt: z.string('updatedAt must be text').optional(),
});
