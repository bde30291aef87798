import { type Endpoint, urlOf } from '#contract/base/endpoint.ts';
import { GENERIC_MESSAGE, Problem } from '#contract/base/problem.ts';
import type { Product } from '#contract/catalogue.ts';
import { readUserInfo } from '#web/browser/browser-storage.ts';

interface Reply {
  message?: string;
  errors?: Record<string, string>;
}

/** Sends a form with pictures and says how far it is, from 0 to 1; `fetch` cannot. Throws the Problem that the server answered. */
export function upload(
  endpoint: Endpoint,
  params: Record<string, string>,
  form: FormData,
  onProgress: (part: number) => void,
): Promise<Product> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, urlOf(endpoint, { params }));
    request.responseType = 'json';
    request.setRequestHeader('Bearer', readUserInfo()?.token ?? '');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Problem(503, 'The shop cannot be reached. What you typed is still here; please try again.'));
    request.onload = () => {
      if (request.status < 300 && request.response) return resolve(request.response as Product);
      const { message = GENERIC_MESSAGE, errors } = (request.response ?? {}) as Reply;
      reject(new Problem(request.status, message, errors));
    };
    request.send(form);
  });
}
