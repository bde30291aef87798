/** The end of `npm test`: lists the slowest files, so that a file that has become slow is noticed. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT, say } from './prepare.mjs';

const SHOWN = 10;
const BUDGET_MINUTES = 10;
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** The seconds of each file in Vitest's report. */
const unitFiles = (report) =>
  report.testResults.map(({ name, startTime, endTime }) => [relative(ROOT, name).replaceAll('\\', '/'), (endTime - startTime) / 1000]);

/** The seconds of each file in Playwright's report, summed over its tests and screens. */
function browserFiles(report) {
  const secondsOf = ({ suites = [], specs = [] }) => {
    const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results);
    return results.reduce((sum, { duration }) => sum + duration / 1000, 0) + suites.reduce((sum, suite) => sum + secondsOf(suite), 0);
  };
  return report.suites.map((suite) => [`e2e/${suite.file}`, secondsOf(suite)]);
}

function sayFiles(kind, files) {
  say(`\nSlowest of ${files.length} files of ${kind} tests:`);
  for (const [name, seconds] of files.sort(([, one], [, other]) => other - one).slice(0, SHOWN))
    say(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

/** Prints the slowest files of the stages, the total time (in ms) and the number of passed tests. */
export function sayResults(stages, duration) {
  const documents = stages.includes('lint') ? read('.cache/documents.json') : undefined;
  const unit = stages.includes('unit') ? read('.cache/unit.json') : undefined;
  const browser = stages.includes('e2e') ? read('.cache/e2e.json') : undefined;
  if (unit) sayFiles('unit', unitFiles(unit));
  if (browser) sayFiles('browser', browserFiles(browser));
  say(`\nTogether ${(duration / 60_000).toFixed(1)} minutes; all stages may take ${BUDGET_MINUTES} on two quiet cores.`);
  const passed = (documents?.numPassedTests ?? 0) + (unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0);
  say(`${passed} passed, 0 failed`);
}
