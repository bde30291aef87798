// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { Generated } from 'kysely';

export interface DispatchBatchesTables {
  deliveryNotices: {
    batchId: string;
    orderId: string;
    toldAt: string | null;
  };
  dispatchBatches: {
    id: string;
    createdAt: Generated<string>;
    actor: string;
    undoUntil: string;
    undoneAt: string | null;
  };
}
