import type { Measurement } from '#contract/catalogue/catalogue.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { Problem } from '#contract/platform/problem.ts';
import { readGlb } from '#server/gateways/models/glb.ts';
import { measureScene } from '#server/gateways/models/scene.ts';

/** The tolerance in millimetres: for a cushion, a foot, a rounded edge. */
const PLAY = 20;
/** The axes of glTF. */
const SIDES = ['width', 'height', 'depth'] as const;

interface Measured {
  measurements?: readonly Measurement[] | undefined;
  sizes: readonly { measurements: readonly Measurement[] }[];
}

const inCentimetres = (millimetres: number) => `${Math.round(millimetres) / 10} cm`;

/**
 * Throws 400 if a model's size differs from the product's first size, which it shows, naming the sides. Sides without a measurement are not compared.
 */
export function refuseOtherSize(model: Buffer, { measurements = [], sizes }: Measured): void {
  const measured = { ...dimensionsOf(measurements), ...dimensionsOf(sizes[0]?.measurements ?? []) };
  const { box } = measureScene(readGlb(model, 'The 3D model').gltf);
  const differences = SIDES.flatMap((side, axis) => {
    const [wanted, found] = [measured[side], (box[axis] ?? 0) * 1_000];
    return wanted !== undefined && Math.abs(found - wanted) > PLAY
      ? [`its ${side} is ${inCentimetres(found)}, not ${inCentimetres(wanted)}`]
      : [];
  });
  if (differences.length === 0) return;
  const what = `The 3D model does not match the measurements: ${differences.join('; ')}. Please export it in its real size, or say that it may differ.`;
  throw new Problem(400, what, { model: what });
}
