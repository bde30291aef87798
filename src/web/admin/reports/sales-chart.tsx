import { shopDate } from '#contract/market/shop-time.ts';

type Unit = 'day' | 'month';

/** `26 Nov 2026`, or `Nov 2026`. */
export const barName = (day: string, unit: Unit = 'day'): string => (unit === 'day' ? shopDate(day) : shopDate(day).replace(/^\d+ /, ''));

interface SalesChartProps {
  label: string;
  /** Oldest first. `before` is the value at the same place in the period before. */
  bars: { day: string; value: number; before?: number | undefined }[];
  format: (value: number) => string;
  /** The time that each bar stands for. */
  unit?: Unit;
}

const [WIDTH, HEIGHT] = [600, 120];

/** A bar for each day or month, with a line at the value of the period before. Label, titles and the table below have the same numbers as text. */
export function SalesChart({ label, bars, format, unit = 'day' }: SalesChartProps) {
  const highest = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), { day: '', value: 0 });
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const largest = Math.max(highest.value, ...bars.map(({ before = 0 }) => before));
  const step = WIDTH / bars.length;
  const width = Math.max(step / 2, Math.min(step - 4, 36));
  const heightOf = (value: number) => (largest <= 0 ? 0 : (Math.max(value, 0) / largest) * (HEIGHT - 8));
  const summary =
    highest.value === 0
      ? 'none yet'
      : `${format(total)} in ${bars.length} ${unit}s, most ${unit === 'day' ? 'on' : 'in'} ${barName(highest.day, unit)} with ${format(highest.value)}`;
  return (
    <figure className="grid gap-1">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span className="text-sm text-soft">{highest.value > 0 && `up to ${format(highest.value)}`}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label}: ${summary}`} className="w-full">
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-edge" />
        {bars.map(({ day, value, before }, index) => {
          const [left, height] = [index * step + (step - width) / 2, heightOf(value)];
          return (
            <g key={day}>
              <title>{`${barName(day, unit)}: ${format(value)}${before === undefined ? '' : `, before ${format(before)}`}`}</title>
              <rect x={left} y={HEIGHT - height} width={width} height={height} rx={2} className="fill-accent" />
              {before !== undefined && before > 0 && (
                <path d={`M${left - 1} ${HEIGHT - heightOf(before)}h${width + 2}`} className="stroke-clay stroke-2" />
              )}
            </g>
          );
        })}
      </svg>
      <p className="flex justify-between text-sm text-soft">
        {[bars[0], bars.at(-1)].map((bar) => bar && <span key={bar.day}>{barName(bar.day, unit)}</span>)}
      </p>
    </figure>
  );
}
