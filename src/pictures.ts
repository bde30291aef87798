/** The picture process: decodes and encodes one picture after the other, and checks models, for the server that started it, and ends with it. */
import { isProblem } from '#contract/platform/problem.ts';
import { checkModel } from '#server/gateways/models/check-model.ts';
import { encodeWidth, reencode } from '#server/gateways/picture-encoder.ts';
import type { PictureReply, PictureTask } from '#server/gateways/picture-process.ts';

function work(task: PictureTask): Promise<Buffer> {
  if (task.task === 'encode') return encodeWidth(Buffer.from(task.master), task.width, task.format);
  return (task.task === 'reencode' ? reencode : checkModel)(Buffer.from(task.bytes), task.filename);
}

async function answer(task: PictureTask): Promise<PictureReply> {
  try {
    return { bytes: await work(task) };
  } catch (error) {
    if (isProblem(error)) return { problem: { status: error.status, message: error.message } };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (task: PictureTask) => void answer(task).then((reply) => process.send?.(reply)));
// A signal to the whole group reaches the server too, which finishes what is under way; this process ends when the server is gone.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));
