import type { Measurement } from '#contract/catalogue/catalogue.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { Problem } from '#contract/platform/problem.ts';
import { readGlb } from '#server/gateways/models/glb.ts';
import { measureScene } from '#server/gateways/models/scene.ts';

/** The tolerance in millimetres: for a cushion, a foot, a rounded edge. */
const MODEL_TOLERANCE = 20;
/** The axes of glTF. */
const SIDES = ['width', 'height', 'depth'] as const;

/** A product's measurements, and those of its sizes. */
export interface Measured {
  measurements?: readonly Measurement[] | undefined;
  sizes: readonly { measurements: readonly Measurement[] }[];
}

/** Which size a model shows, and the field of the form that it is refused at. */
interface ShownSize {
  sizeIndex: number;
  field: string;
}

const inCentimetres = (millimetres: number) => `${Math.round(millimetres) / 10} cm`;

/** Throws 400 if a model is larger or smaller than the size that it shows, naming the sides. Sides without a measurement are not compared. */
export function refuseOtherSize(model: Buffer, { measurements = [], sizes }: Measured, { sizeIndex, field }: ShownSize): void {
  const measured = { ...dimensionsOf(measurements), ...dimensionsOf(sizes[sizeIndex]?.measurements ?? []) };
  const { box } = measureScene(readGlb(model, 'The 3D model').gltf);
  const differences = SIDES.flatMap((side, axis) => {
    const [wanted, found] = [measured[side], (box[axis] ?? 0) * 1_000];
    return wanted !== undefined && Math.abs(found - wanted) > MODEL_TOLERANCE
      ? [`its ${side} is ${inCentimetres(found)}, not ${inCentimetres(wanted)}`]
      : [];
  });
  if (differences.length === 0) return;
  const what = `The 3D model does not match the measurements: ${differences.join('; ')}. Please export it in its real size, or say that it may differ.`;
  throw new Problem(400, what, { [field]: what });
}
