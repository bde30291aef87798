/** Sends a request and reports how much of its body is sent, from 0 to 1, which `fetch` cannot do. Rejects without an answer. */
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
