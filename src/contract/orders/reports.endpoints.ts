import { endpoint } from '#contract/platform/endpoint.ts';
import * as schema from './reports.schema.ts';

export const readReport = endpoint('GET /api/office/reports', {
  right: 'see money',
  summary: 'Read the sales of a period beside those of the period before',
  query: schema.ReportQuery,
  reply: schema.Report,
});

export const exportReport = endpoint('GET /api/office/reports/table', {
  right: 'see money',
  summary: 'Download a table of the reports as CSV',
  query: schema.ReportTableQuery,
  download: 'report.csv',
});
