interface SalesChartProps {
  label: string;
  /** Oldest first. */
  bars: { day: string; value: number }[];
  format: (value: number) => string;
}

const [WIDTH, HEIGHT] = [600, 120];

/** A bar for each day. Its label and the bars' titles say the numbers, as does the table beside it. */
export function SalesChart({ label, bars, format }: SalesChartProps) {
  const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), { day: '', value: 0 });
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const step = WIDTH / bars.length;
  const said = most.value === 0 ? 'none yet' : `${format(total)} in ${bars.length} days, most on ${most.day} with ${format(most.value)}`;
  return (
    <figure className="grid gap-1">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span className="text-sm text-soft">{most.value > 0 && `up to ${format(most.value)}`}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label}: ${said}`} className="w-full">
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-edge" />
        {bars.map(({ day, value }, index) => {
          const height = most.value === 0 ? 0 : (value / most.value) * (HEIGHT - 8);
          return (
            <rect key={day} x={index * step + 2} y={HEIGHT - height} width={step - 4} height={height} rx={2} className="fill-accent">
              <title>{`${day}: ${format(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="flex justify-between text-sm text-soft">
        <span>{bars[0]?.day}</span>
        <span>{bars.at(-1)?.day}</span>
      </p>
    </figure>
  );
}
