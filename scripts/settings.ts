/** Writes .env.example from the settings that the shop reads; with --check fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { NAMES, settingOf } from '#server/platform/settings/settings.ts';

const FILE = '.env.example';
const lines = NAMES.map((name) => {
  const { purpose, fallback } = settingOf(name);
  return `# ${purpose}\n${name}=${/[\s&<>]/.test(fallback) ? `"${fallback}"` : fallback}\n`;
});
const text = `# Every setting of the shop with its value when unset. The shop reads its environment only: pass this file with\n# node --env-file=.env or your service manager.\n\n${lines.join('\n')}`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(`${FILE} is out of date: run npm run settings:write\n`);
  process.exitCode = 1;
}
