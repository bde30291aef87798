import { parseArgs } from 'node:util';
import type pg from 'pg';
import { hasAdministrator, NO_ADMINISTRATOR } from '#server/accounts/administrators.service.ts';
import { generate, type Plan } from '#server/generator/generate.ts';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import { runCommandLine, say } from '#server/platform/command.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { readConfig } from '#server/platform/settings/config.ts';

const USAGE = `Usage: npm run generate -- [--products 10000] [--orders 0] [--seed 1]

Writes made-up products (1 to 1,000,000) and orders (0 to 1,000,000) straight into the database of DATABASE_URL, else into the embedded one
under SHOP_DATA_DIR, which npm run migrate makes. The same seed makes the same rows; another seed adds others. Customers log in with "Customer123!".
`;

function numberOf(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`--${name} must be a whole number from ${min} to ${max}.\n\n${USAGE}`);
  return value;
}

/** The plan of the arguments; undefined for --help. */
function readPlan(): Plan | undefined {
  const options = {
    products: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) return undefined;
  return {
    products: numberOf('products', values.products, 1, 1_000_000),
    orders: numberOf('orders', values.orders, 0, 1_000_000),
    seed: numberOf('seed', values.seed, 0, 4_294_967_295),
  };
}

async function run(): Promise<void> {
  const plan = readPlan();
  if (!plan) return say(USAGE);
  const start = Date.now();
  const hasAdmin = await withDatabase(readConfig(process.env), async ({ pool, db }) => {
    await write(pool, db, plan);
    return hasAdministrator(db);
  });
  say(`Made ${plan.products} products and ${plan.orders} orders in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  if (!hasAdmin) say(NO_ADMINISTRATOR);
}

async function write(pool: pg.Pool, db: Db, plan: Plan): Promise<void> {
  try {
    await generate(pool, plan, say);
    await catalogueChanged(db);
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new Error(`Seed ${plan.seed} was already used here. Choose another: --seed`);
    throw error;
  }
}

await runCommandLine(run, USAGE);
