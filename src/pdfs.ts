/** The thread of PDFs: writes one document after the other for the server that started it. */
import { parentPort } from 'node:worker_threads';
import { pdfOf } from '#server/invoices/invoice-pdf.ts';
import type { PdfReply, PdfTask } from '#server/invoices/pdf-thread.ts';

async function answer({ id, invoice }: PdfTask): Promise<PdfReply> {
  try {
    return { id, bytes: await pdfOf(invoice) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (task: PdfTask) => void answer(task).then((reply) => parentPort?.postMessage(reply)));
