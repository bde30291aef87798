// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { Generated, GeneratedAlways } from 'kysely';

export interface StandaloneTables {
  auditEntries: {
    id: GeneratedAlways<number>;
    at: Generated<string>;
    actorId: string | null;
    actorName: string;
    entity: string;
    entityId: string;
    change: string;
  };
  catalogueChanges: {
    transaction: Generated<string>;
    products: string[] | null;
    movesLists: boolean;
    at: Generated<string>;
    edited: string[] | null;
  };
  catalogueWords: {
    word: string;
    stem: Generated<string | null>;
    spellings: Generated<string[]>;
    isLabel: Generated<boolean>;
    isKind: Generated<boolean>;
  };
  documentNumbers: {
    kind: string;
    last: number;
  };
  jobSchedule: {
    name: string;
    queuedAt: string;
  };
  jobs: {
    id: GeneratedAlways<number>;
    name: string;
    lane: string | null;
    key: string | null;
    payload: unknown;
    runAt: Generated<string>;
    createdAt: Generated<string>;
    attempts: Generated<number>;
    maxAttempts: Generated<number>;
    lastError: string | null;
    takenBy: number | null;
  };
  orderSteps: {
    fromState: string;
    toState: string;
  };
  paymentEvents: {
    id: string;
    kind: string;
    receivedAt: Generated<string>;
  };
  paymentWatch: {
    onlyRow: Generated<boolean>;
    askedUntil: string;
  };
  rateLimits: {
    key: string;
    tries: number;
    resetsAt: string;
  };
  salesBestSellers: {
    productId: string;
    pieces: number;
    revenue: number;
  };
  salesChanges: {
    day: string;
    productId: string | null;
    listed: Generated<number>;
    orders: Generated<number>;
    pieces: Generated<number>;
    revenue: Generated<number>;
  };
  salesDays: {
    day: string;
    listed: number;
    orders: number;
    revenue: number;
  };
  salesPieces: {
    day: string;
    productId: string;
    pieces: number;
    revenue: number;
  };
  salesWindow: {
    isOnly: Generated<boolean>;
    since: string;
  };
  schemaCompatibility: {
    onlyRow: Generated<boolean>;
    oldestMigration: string;
  };
}
