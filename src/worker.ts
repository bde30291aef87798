/** A worker process: makes pictures and PDFs and checks models, one after the other, for the server that started it, and ends with it. */
import { isProblem } from '#contract/platform/problem.ts';
import type { Reply, Task } from '#server/gateways/worker-process.ts';

/** Each worker loads only what its tasks need: the libraries of all of them take 100 MB. */
async function work(task: Task): Promise<Buffer> {
  if (task.task === 'pdf') return (await import('#server/invoices/invoice-pdf.ts')).pdfOf(task.invoice, task.logo);
  if (task.task === 'checkModel')
    return (await import('#server/gateways/models/check-model.ts')).checkModel(Buffer.from(task.bytes), task.filename);
  if (task.task === 'silhouette')
    return Buffer.from((await import('#server/gateways/models/silhouette.ts')).silhouetteOf(Buffer.from(task.bytes), task.view));
  const { encodeWidth, reencode } = await import('#server/gateways/picture-encoder.ts');
  if (task.task === 'encode') return encodeWidth(Buffer.from(task.master), task.width, task.format);
  return reencode(Buffer.from(task.bytes), task.filename, task.size);
}

async function answer(task: Task): Promise<Reply> {
  try {
    return { bytes: await work(task) };
  } catch (error) {
    if (isProblem(error)) return { problem: { status: error.status, message: error.message } };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (task: Task) => void answer(task).then((reply) => process.send?.(reply)));
// A signal to the whole group reaches the server too, which finishes what is under way; this process ends when the server is gone.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));
