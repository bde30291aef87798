/** How often a property is tried: a few times in `npm test`, with other values in each run, and far more in `npm run drills -- properties`. */
export const runs = (few: number): number => few * Number(process.env.PROPERTY_RUNS ?? 1);
