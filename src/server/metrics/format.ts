/** Names and values that tell the series of a metric apart. */
export type Labels = Readonly<Record<string, string | number>>;

/** One line of an answer: what is appended to the metric's name, its labels and its value. */
export interface Sample {
  suffix?: string;
  labels?: Labels;
  value: number;
}

/** A metric with all its series. */
export interface Family {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: Sample[];
}

const escaped = (text: string) => text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

function lineOf(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(String(text))}"`);
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value === Number.POSITIVE_INFINITY ? '+Inf' : value}\n`;
}

/** The content type of the text format, version 0.0.4. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in Prometheus' text format. */
export function textOf(families: readonly Family[]): string {
  return families
    .map(
      ({ name, type, help, samples }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((s) => lineOf(name, s)).join('')}`,
    )
    .join('');
}
