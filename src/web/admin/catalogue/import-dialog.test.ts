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

test('one product that is left out is spoken of in the singular', () => {
  const report = { added: 0, changed: 1, unchanged: 0, isDone: false, isBroken: false, changes: [], errors: [], fingerprint: '' };
  const textOf = (leftOut: number) => renderToStaticMarkup(createElement(Verdict, { report: { ...report, leftOut } }));
  expect(textOf(1)).toContain('One product is left out: correct it and choose the file again');
  expect(textOf(2)).toContain('2 products are left out: correct them and choose the file again');
});
