/** The Khronos Group's validator, which comes without types: what the shop uses of it. */
declare module 'gltf-validator' {
  interface Issue {
    code: string;
    message: string;
    /** 0 is an error, 1 a warning; the others are remarks. */
    severity: number;
    /** Where in the file's JSON, such as `/meshes/0`. */
    pointer?: string;
  }
  export function validateBytes(
    bytes: Uint8Array,
    options: { maxIssues: number },
  ): Promise<{ issues: { messages: Issue[]; truncated: boolean } }>;
}
