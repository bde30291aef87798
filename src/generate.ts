import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogueChanged } from '#server/catalogue/version.service.ts';
import { readConfig } from '#server/config.ts';
import { connect } from '#server/db/connect.ts';
import { reachEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { generate, type Plan } from '#server/generator/generate.ts';

const USAGE = `Usage: npm run generate -- [--products 10000] [--orders 0] [--seed 1]

Writes made-up products (1 to 1,000,000) and orders (0 to 1,000,000) straight into the database of DATABASE_URL, else into the embedded one
under SHOP_DATA_DIR. The same seed makes the same rows; another seed adds others. Customers log in with "Customer123!".
`;

/** What stops the command: a sentence for whoever typed it. */
class Refusal extends Error {}

const say = (text: string) => void process.stdout.write(`${text}\n`);

function numberOf(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Refusal(`--${name} must be a whole number from ${min} to ${max}.\n\n${USAGE}`);
  return value;
}

function readPlan(): Plan {
  const options = {
    products: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  } as const;
  const { values } = parseArgs({ options });
  return {
    products: numberOf('products', values.products, 1, 1_000_000),
    orders: numberOf('orders', values.orders, 0, 1_000_000),
    seed: numberOf('seed', values.seed, 0, 4_294_967_295),
  };
}

async function run(): Promise<void> {
  const plan = readPlan();
  const start = Date.now();
  const { databaseUrl, dataDir } = readConfig(process.env);
  const embedded = databaseUrl ? undefined : await reachEmbedded(join(dataDir, 'postgres'));
  const database = connect(databaseUrl ?? embedded?.url ?? '', { max: 3 });
  try {
    await migrate(database);
    await generate(database.pool, plan, say);
    await catalogueChanged(database.db);
    say(`Made ${plan.products} products and ${plan.orders} orders in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new Refusal(`Seed ${plan.seed} was already used here. Choose another: --seed`);
    throw error;
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
