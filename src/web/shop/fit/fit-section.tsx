import { useEffect, useRef, useState } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { modelOfSize } from '#contract/catalogue/pictures.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { Link } from '#web/ui/link.tsx';
import { typedOf } from './check-fields.ts';
import { CheckForm } from './check-form.tsx';
import type { Outer } from './dimensions.ts';
import { Drawing, missingText, outerText } from './drawing.tsx';
import { Findings, type NamedPiece } from './findings.tsx';
import { keptMeasurements } from './stored-measurements.ts';

const UNKNOWN: Outer = { width: null, depth: null, height: null };

/** A product's sizes with their dimensions, or the product itself if it has none. */
function piecesOf({ name, sizes, dimensions, carrying }: Product): NamedPiece[] {
  const names = sizes.length > 0 ? sizes.map(({ size }) => size) : [name];
  return names.map((size, index) => {
    const outer = dimensions.find(({ position }) => position === index);
    return {
      name: size,
      outer: outer ?? UNKNOWN,
      carrying: carrying.find(({ position }) => position === index),
      door: outer?.door ?? null,
    };
  });
}

/** The form, opened by a button, and its results. The form is drawn by browsers only: it is closed at first, and does nothing without JavaScript. */
function Check({ chosen, others }: { chosen: NamedPiece; others: NamedPiece[] }) {
  const measurements = useStoredValue(keptMeasurements);
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const [checks, setChecks] = useState(0);
  const findings = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (checks > 0) findings.current?.scrollIntoView({ block: 'nearest' });
  }, [checks]);
  return (
    <div className="group/check grid content-start gap-5 noscript:hidden">
      <details>
        <summary className="btn btn-secondary">{measurements ? 'Change your measurements' : 'Check your door and your space'}</summary>
        <div className="mt-5">
          {isInBrowser && <CheckForm isKept={measurements !== undefined} onChecked={() => setChecks((count) => count + 1)} />}
        </div>
      </details>
      {/* Hidden while a field is wrong: the findings are about the values before. */}
      <div ref={findings} role="status" className="scroll-mb-4 group-has-[[aria-invalid]]/check:hidden">
        {measurements && <Findings chosen={chosen} others={others} typed={typedOf(measurements.texts)} />}
      </div>
    </div>
  );
}

export interface FitSectionProps {
  product: Product;
  /** The chosen size's name; undefined for a product without sizes. */
  size: string | undefined;
}

/** "Will it fit?": a scale drawing with dimensions, and a check against the visitor's measurements. */
export function FitSection({ product, size }: FitSectionProps) {
  const sizes = piecesOf(product);
  const chosen = sizes.find(({ name }) => name === size) ?? sizes[0];
  if (!chosen) return null;
  const { name, outer } = chosen;
  const knownText = outerText(outer);
  const title = size ? `${product.name}, ${name}` : name;
  if (!knownText)
    return (
      <p>
        The outer measurements of this {size ? 'size' : 'piece'} are not given.{' '}
        <Link to="/contact" className="link">
          Ask us
        </Link>{' '}
        whether it fits.
      </p>
    );
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,min(64svh,50%))_minmax(0,1fr)] lg:gap-16">
      <figure className="grid content-start gap-3">
        <Drawing outer={outer} name={title} model={modelOfSize(product, sizes.indexOf(chosen))?.url ?? null} />
        <figcaption>
          <span className="font-semibold">{name}:</span> {knownText}. <span className="text-soft">{missingText(outer)}</span>
        </figcaption>
      </figure>
      <Check chosen={chosen} others={sizes.filter((other) => other !== chosen)} />
    </div>
  );
}
