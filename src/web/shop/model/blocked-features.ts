// Makes the viewer's libraries take their fallbacks: the CSP forbids WebAssembly (for a decoder that no model needs) and fetching textures
// from blobs, which they then read by `<img>` (decision 56).
Object.assign(window, { WebAssembly: undefined, createImageBitmap: undefined });
