/**
 * Sends a request and says how much of its body has left, from 0 to 1, which `fetch` cannot do. Rejects when there is no answer.
 * Loaded only where pictures are sent: shoppers do not pay for it.
 */
export function upload(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: XMLHttpRequestBodyInit | null },
  onProgress: (part: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = reject;
    request.onload = () => resolve(new Response(request.response as Blob, { status: request.status }));
    request.send(body);
  });
}
