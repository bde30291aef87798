/** Types for the part of the Khronos validator that we use; it ships without any. */
declare module 'gltf-validator' {
  interface Issue {
    code: string;
    message: string;
    /** 0: error, 1: warning, 2 or more: information. */
    severity: number;
    /** JSON pointer into the file, such as `/meshes/0`. */
    pointer?: string;
  }
  export function validateBytes(
    bytes: Uint8Array,
    options: { maxIssues: number },
  ): Promise<{ issues: { messages: Issue[]; truncated: boolean } }>;
}
