/** `npm run build`: makes dist/client and dist/server when a source has changed. */
import { onNode24 } from './node24.mjs';
import { build } from './prepare.mjs';

await onNode24();
await build();
