import { Check, CircleHelp, TriangleAlert, X } from 'lucide-react';
import { Link } from 'react-router';
import { measuredOf, type Typed, unitOf } from './check-fields.ts';
import type { Outer, Verdict } from './dimensions.ts';
import { type Finding, judge } from './verdict.ts';

/** One size of a product with its outer dimensions. */
export interface OuterSize {
  name: string;
  outer: Outer;
}

const PLACE: Record<Finding['place'], string> = {
  space: 'Your space',
  door: 'The door',
  lift: 'The lift',
  corner: 'The corner or landing',
};
const VERDICTS: Record<Verdict, { words: string; look: string; Icon: typeof Check }> = {
  fits: { words: 'fits', look: 'text-good', Icon: Check },
  tight: { words: 'tight', look: 'text-clay', Icon: TriangleAlert },
  boxed: { words: 'not in one piece', look: 'text-clay', Icon: TriangleAlert },
  no: { words: 'does not fit', look: 'text-bad', Icon: X },
  unknown: { words: 'cannot be judged', look: 'text-soft', Icon: CircleHelp },
};

function FindingItem({ finding: { place, verdict, text } }: { finding: Finding }) {
  const { words, look, Icon } = VERDICTS[verdict];
  return (
    <li className="flex gap-3">
      <Icon aria-hidden="true" className={`mt-1 size-5 flex-none ${look}`} />
      <p>
        <strong className={look}>
          {PLACE[place]}: {words}.
        </strong>{' '}
        {text}
      </p>
    </li>
  );
}

/** Verdicts for the chosen size, and the other sizes that fit all measurements. */
export function Findings({ chosen, others, typed }: { chosen: OuterSize; others: OuterSize[]; typed: Typed }) {
  const measured = measuredOf(typed);
  const unit = unitOf(typed);
  const fitting = others.filter(({ outer }) => judge(outer, measured, unit).every(({ verdict }) => verdict === 'fits'));
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(fitting.map(({ name }) => name));
  return (
    <div className="panel grid gap-3">
      <h3 className="font-semibold">{chosen.name}</h3>
      <ul className="grid gap-3">
        {judge(chosen.outer, measured, unit).map((finding) => (
          <FindingItem key={finding.place} finding={finding} />
        ))}
      </ul>
      {fitting.length > 0 && <p>In all of these places, {names} fits.</p>}
      <p className="text-sm text-soft">
        We can’t check sloping stairs or handrails. If it’s close,{' '}
        <Link to="/contact" className="link">
          ask us first
        </Link>
        .
      </p>
    </div>
  );
}
