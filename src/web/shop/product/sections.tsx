import { DoorOpen, RotateCcw, ShieldCheck, Truck, Users } from 'lucide';
import { type ReactNode, useContext } from 'react';
import { boxesOf } from '#contract/catalogue/boxes.ts';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { modelOfSize } from '#contract/catalogue/pictures.ts';
import { howItComesBack, RETURN_DAYS } from '#contract/returns/return-days.ts';
import type { DeliveryProps } from '#web/shop/delivery/arrival.tsx';
import { DeliveryTerms } from '#web/shop/delivery/delivery-terms.tsx';
import { isLarge, smallestDoorText } from '#web/shop/fit/smallest-door.ts';
import { ModelLink } from '#web/shop/model/model-link.tsx';
import { CompanyContext } from '#web/state/store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Measurements } from './measurements.tsx';

/** The promises under the button, and for a large piece the smallest door that it goes through. */
function Facts({ product, sizeIndex, isByTwo }: { product: Product; sizeIndex: number; isByTwo: boolean }) {
  const { collectsReturns } = useContext(CompanyContext);
  const door = isLarge(product.dimensions.filter(({ position }) => position === sizeIndex)) && smallestDoorText(product, sizeIndex);
  const facts = [
    { icon: isByTwo ? Users : Truck, text: isByTwo ? 'Two-person delivery to your room' : 'Delivered to your door' },
    {
      icon: RotateCcw,
      text: `${RETURN_DAYS.ask} days to change your mind`,
      more: howItComesBack(isByTwo || collectsReturns),
    },
    product.guarantee
      ? { icon: ShieldCheck, text: `Guarantee: ${product.guarantee}, besides your legal rights` }
      : { icon: ShieldCheck, text: 'If it is faulty, it can always come back, at our cost' },
  ];
  return (
    <ul className="-mt-2 mb-5 grid gap-2 text-sm">
      {facts.map(({ icon, text, more }) => (
        <li key={text} className="flex items-start gap-2">
          <Icon of={icon} className="mt-0.5 size-4 flex-none" />
          {more ? (
            <span>
              <Link to="/refund-policy" className="link -my-0.5 inline-block py-0.5">
                {text}
              </Link>
              : {more}
            </span>
          ) : (
            text
          )}
        </li>
      ))}
      {door && (
        <li className="flex items-start gap-2">
          <Icon of={DoorOpen} className="mt-0.5 size-4 flex-none" />
          <span>
            <a href="#fit" className="link -my-0.5 inline-block py-0.5">
              Smallest door
            </a>
            : {door}
          </span>
        </li>
      )}
    </ul>
  );
}

/** Opens and closes without scripts. */
function Section({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group border-b border-line">
      <summary className="flex min-h-target list-none items-center justify-between gap-4 py-3 [&::-webkit-details-marker]:hidden">
        <h2>{title}</h2>
        <span
          aria-hidden="true"
          className="size-2.5 flex-none rotate-45 border-b-2 border-r-2 border-ink transition-transform group-open:rotate-225"
        />
      </summary>
      <div className="prose pb-5">{children}</div>
    </details>
  );
}

/** What it is made of, and how to look after it; undefined where nothing is known. */
function materialsAndCare({ materials, care }: Product): ReactNode {
  if (materials.length + care.length === 0) return undefined;
  return (
    <>
      {materials.length > 0 && <p>Materials: {materials.join(', ').toLowerCase()}.</p>}
      {care.length > 0 && (
        <ul>
          {care.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Weight, boxes and assembly, if known. */
function Packaging({ product: { weight, boxes, assemblyMinutes }, chosen }: Pick<SectionsProps, 'product' | 'chosen'>) {
  const grams = chosen?.weight ?? weight;
  const boxTexts = boxesOf(boxes).map((box) => `${box.replace(/ cm$/i, '').replaceAll('x', '×')} cm`);
  const facts = [
    grams ? `Weight: ${Number((grams / 1_000).toFixed(1))} kg` : [],
    boxTexts.length > 0 ? `${boxTexts.length === 1 ? 'One box' : `${boxTexts.length} boxes`}: ${boxTexts.join('; ')}` : [],
    assemblyMinutes === null ? [] : assemblyMinutes === 0 ? 'It comes assembled.' : `Assembly: about ${assemblyMinutes} minutes`,
  ].flat();
  if (facts.length === 0) return null;
  return (
    <Section title="Weight, boxes and assembly">
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Section>
  );
}

export interface SectionsProps extends DeliveryProps {
  product: Product;
  /** The chosen size, if the product has sizes. */
  chosen: Product['sizes'][number] | undefined;
  /** The code of the chosen colour, if the product has colours. */
  color: string | undefined;
  /** It is in stock. */
  canBuy: boolean;
  /** Two people deliver it. */
  isByTwo: boolean;
}

/** The sections under the button: the 3D model, promises while the product can be bought, details, materials and care, delivery and returns. */
export function Sections({ product, chosen, color, canBuy, isByTwo, ...deliveryProps }: SectionsProps) {
  const materials = materialsAndCare(product);
  const sizeIndex = chosen ? product.sizes.indexOf(chosen) : 0;
  const model = modelOfSize(product, sizeIndex);
  return (
    <>
      {model && (
        <div className="mb-5 grid">
          <ModelLink product={product} model={model} size={chosen} color={color} />
        </div>
      )}
      {canBuy && <Facts product={product} sizeIndex={sizeIndex} isByTwo={isByTwo} />}
      <div className="border-t border-line">
        <Section title="Details" open>
          <p className="whitespace-pre-line">{product.description}</p>
          <Measurements entries={chosen?.measurements ?? []} caption={`Measurements${chosen ? `, ${chosen.size}` : ''}`} />
          <Measurements entries={product.measurements} caption="Measurements" />
        </Section>
        <Packaging product={product} chosen={chosen} />
        {materials && <Section title="Materials & care">{materials}</Section>}
        <Section title="Delivery & returns">
          <DeliveryTerms load={product.load} {...deliveryProps} canBuy={canBuy} isByTwo={isByTwo} />
        </Section>
      </div>
    </>
  );
}
