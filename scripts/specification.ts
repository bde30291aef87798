/** `npm run specification`: each paragraph of docs/specification.md with the tests that hold it, from the numbers in their titles. */
import { readHoldingTests, readParagraphs } from '#server/testing/specification.ts';

const tests = readHoldingTests();
for (const [number, words] of readParagraphs()) {
  console.log(`${number} ${words.length > 100 ? `${words.slice(0, 100)}…` : words}`);
  for (const { file, title } of tests.filter(({ paragraphs }) => paragraphs.includes(number))) console.log(`    ${file}: ${title}`);
}
