/** The cells of one line. */
export type Row = string[];

export const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
export const ratio = (value: number) => value.toFixed(2);
/** Processor time of one request, from milliseconds. */
export const micros = (value: number) => `${Math.round(value * 1000)} µs`;
export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

/** The median, which ignores what else the machine did for a moment. */
export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints a table as the README has it. */
export function printTable(head: Row, rows: Row[]): void {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  console.log(['', line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n'));
}
