/** What `npm test` says at its end: which files took longest, so that one that has become slow is seen by whoever made it so. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT, say } from './prepare.mjs';

const SHOWN = 10;
const BUDGET_MINUTES = 10;
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** How long each file of Vitest's report took, in seconds. */
const unitFiles = (report) =>
  report.testResults.map(({ name, startTime, endTime }) => [relative(ROOT, name).replaceAll('\\', '/'), (endTime - startTime) / 1000]);

/** The same of Playwright's report: the sum of a file's tests on both screens. */
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

/** Says which files of the given stages took longest, how long all of them took together (in ms), and how many tests have passed. */
export function sayResults(stages, duration) {
  const unit = stages.includes('unit') ? read('.cache/unit.json') : undefined;
  const browser = stages.includes('e2e') ? read('.cache/e2e.json') : undefined;
  if (unit) sayFiles('unit', unitFiles(unit));
  if (browser) sayFiles('browser', browserFiles(browser));
  say(`\nTogether ${(duration / 60_000).toFixed(1)} minutes; all stages may take ${BUDGET_MINUTES} on two quiet cores.`);
  say(`${(unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0)} passed, 0 failed`);
}
