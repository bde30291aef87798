import type { Db } from '#server/platform/database/connect.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { type Config, readConfig } from '#server/platform/settings/config.ts';
import { SettingsLoader } from '#server/settings/settings-loader.ts';

/** The part of `Services` that commands use. */
export interface CommandServices {
  db: Db;
  config: Config;
  settings: SettingsLoader;
}

/** For a command: opens the shop's database during `work`, with the settings of the environment and the owner's. Throws an Error for the operator as `withDatabase` does. */
export async function withShop<T>(work: (services: CommandServices) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  return withDatabase(config, async ({ db }) => {
    const settings = new SettingsLoader(db, config);
    await settings.load();
    return work({ db, config, settings });
  });
}
