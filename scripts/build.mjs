/** `npm run build`: makes dist/client and dist/server when a source has changed. */
import { build } from './prepare.mjs';

await build();
