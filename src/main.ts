import { say } from '#server/platform/command.ts';
import { type Config, readConfig } from '#server/platform/settings/config.ts';

/** The settings. Ends the process if one is wrong. */
function settingsOrEnd(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    say(`The shop could not start: ${(error as Error).message}`);
    process.exit(1);
  }
}

const settings = settingsOrEnd();
const { traces, release } = settings;
// Before the shop, like `node --import`: the instrumentation patches HTTP and PostgreSQL when they are loaded.
const tracing = traces && (await import('#server/platform/telemetry/open-telemetry.ts')).startTracing({ ...traces, release });
const { runShop } = await import('./shop.ts');
await runShop(settings, tracing);
