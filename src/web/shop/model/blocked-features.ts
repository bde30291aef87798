// The viewer's libraries do without both where a browser lacks them. The policy forbids what they would do with them (decision 56): compile
// WebAssembly for a decoder that no model needs, and fetch textures from blobs, which they now read by an `<img>`.
Object.assign(window, { WebAssembly: undefined, createImageBitmap: undefined });
