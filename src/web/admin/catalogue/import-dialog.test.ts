import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { Verdict } from './import-dialog.tsx';

const verdictOf = (errors: ImportReport['errors']) => {
  const counts = { added: 0, changed: 0, unchanged: 0, leftOut: 0 };
  const report: ImportReport = { ...counts, isDone: false, isBroken: true, changes: [], errors, fingerprint: '' };
  return renderToStaticMarkup(createElement(Verdict, { report }));
};

test('a file with an unknown column is told apart from one that is damaged', () => {
  expect(verdictOf([{ row: 1, column: 'Shade', message: 'There is no column with this name.' }])).toContain(
    'We do not recognise all columns of the file.',
  );
  expect(verdictOf([{ row: 7, column: '', message: 'A quotation mark is never closed.' }])).toContain(
    'The file cannot be read to the end.',
  );
});
