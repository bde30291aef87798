/** The boxes of a product, one a line: `120 x 60 x 20`, in centimetres. */
export const boxesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
