// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { Generated } from 'kysely';

export interface UsersTables {
  knownDevices: {
    userId: string;
    deviceHash: Buffer;
    createdAt: Generated<string>;
    usedAt: Generated<string>;
  };
  passwordResets: {
    userId: string;
    codeHash: Buffer;
    triesLeft: number;
    createdAt: Generated<string>;
    expiresAt: string;
    askerHash: Buffer;
    othersTriesLeft: number;
  };
  recoveryCodes: {
    userId: string;
    codeHash: Buffer;
  };
  reviewMailStops: {
    userId: string;
    stoppedAt: Generated<string>;
  };
  secondFactors: {
    userId: string;
    secret: Buffer | null;
    pendingSecret: Buffer | null;
    pendingAt: string | null;
    confirmedAt: string | null;
    lastStep: Generated<number>;
  };
  sessions: {
    tokenHash: Buffer;
    userId: string;
    createdAt: Generated<string>;
    expiresAt: string;
    provenAt: string | null;
  };
  users: {
    id: string;
    name: string;
    email: string;
    passwordHash: string;
    isAdmin: Generated<boolean>;
    createdAt: Generated<string>;
    updatedAt: Generated<string>;
    search: Generated<string>;
    isEmailConfirmed: Generated<boolean>;
    confirmedEmail: string | null;
    confirmHash: Buffer | null;
  };
}
