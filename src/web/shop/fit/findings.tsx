import { Check, CircleHelp, type IconNode, TriangleAlert, X } from 'lucide';
import { STANDARD_DOOR_HEIGHT } from '#contract/catalogue/doors.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { measuredOf, type Typed, unitOf } from './check-fields.ts';
import type { Piece, Verdict } from './dimensions.ts';
import { lengthText } from './lengths.ts';
import { type Finding, judge } from './verdict.ts';

/** One size of a product. */
export interface NamedPiece extends Piece {
  name: string;
}

const PLACE_NAMES: Record<Finding['place'], string> = {
  space: 'Your space',
  door: 'The door',
  lift: 'The lift',
  corner: 'The corner or landing',
};
const VERDICTS: Record<Verdict, { words: string; look: string; icon: IconNode }> = {
  fits: { words: 'fits', look: 'text-good', icon: Check },
  tight: { words: 'tight', look: 'text-clay', icon: TriangleAlert },
  help: { words: 'ask us first', look: 'text-clay', icon: TriangleAlert },
  no: { words: 'does not fit', look: 'text-bad', icon: X },
  unknown: { words: 'we can’t tell yet', look: 'text-soft', icon: CircleHelp },
};

function FindingItem({ finding: { place, verdict, text } }: { finding: Finding }) {
  const { words, look, icon } = VERDICTS[verdict];
  return (
    <li className="flex gap-3">
      <Icon of={icon} className={`mt-1 size-5 flex-none ${look}`} />
      <p>
        <strong className={look}>
          {PLACE_NAMES[place]}: {words}.
        </strong>{' '}
        {text}
      </p>
    </li>
  );
}

/** Verdicts for the chosen size, and the other sizes that fit all measurements. */
export function Findings({ chosen, others, typed }: { chosen: NamedPiece; others: NamedPiece[]; typed: Typed }) {
  const measured = measuredOf(typed);
  const unit = unitOf(typed);
  const findings = judge(chosen, measured, unit);
  const fitting = others.filter((other) => judge(other, measured, unit).every(({ verdict }) => verdict === 'fits'));
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(fitting.map(({ name }) => name));
  return (
    <div className="panel grid gap-3">
      <h3 className="font-semibold">{chosen.name}</h3>
      <ul className="grid gap-3">
        {findings.map((finding) => (
          <FindingItem key={finding.place} finding={finding} />
        ))}
      </ul>
      {fitting.length > 0 && (
        <p>
          {names} {findings.length > 1 ? 'fits in all of these places.' : 'fits there.'}
        </p>
      )}
      {measured.door && typed.doorHeight.trim() === '' && (
        <p className="text-sm text-soft">We assumed the standard door height, {lengthText(STANDARD_DOOR_HEIGHT, unit)}.</p>
      )}
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
