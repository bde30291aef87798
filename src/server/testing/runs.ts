/** How often a property is tried: a few times in `npm test`, twice as often in `npm run thorough`, and far more often in `npm run drills -- properties`. */
export const runs = (few: number): number => few * Number(process.env.PROPERTY_RUNS ?? 1);
