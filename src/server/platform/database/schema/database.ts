// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { DispatchBatchesTables } from './dispatch_batches.ts';
import type { OrdersTables } from './orders.ts';
import type { ProductsTables } from './products.ts';
import type { StandaloneTables } from './standalone.ts';
import type { UsersTables } from './users.ts';

export interface DB extends DispatchBatchesTables, OrdersTables, ProductsTables, StandaloneTables, UsersTables {}
