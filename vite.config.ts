import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { dictionary } from '@zxcvbn-ts/language-common';
import { defineConfig, type Plugin } from 'vite';
import { dependencies, optionalDependencies } from './package.json' with { type: 'json' };
import { guidePages } from './scripts/guide-pages.ts';

/** Programs of the server bundle: the shop, and the commands beside it. */
const programs = ['main', 'admin', 'backup', 'books', 'generate', 'migrate', 'worker'].filter((name) => existsSync(`src/${name}.ts`));

/**
 * Vite wraps every `import()` in a helper that is given the files that the module needs. Here it fetches them first, again where one is lost
 * (`start.ts`): Vite's own would preload them as modules, and browsers never ask again for a module that failed (decision 76).
 */
const patientImports: Plugin = {
  name: 'patient-imports',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (read, files) => window.code.load(read, files.map((file) => "/" + file));',
  },
};

/** For the advice of the forms, which loads them when somebody types a new password: about 11 KB. */
const commonPasswords = dictionary['passwords-common'].filter(({ length }) => length >= 8).slice(0, 3_000);

const routerFile = (name: string) => fileURLToPath(new URL(`node_modules/react-router/dist/production/${name}`, import.meta.url));

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind(), patientImports, guidePages],
  publicDir: 'public',
  // The package leads bundlers to its build for development, which is larger by its warnings.
  resolve: {
    alias: [
      { find: /^react-router$/, replacement: routerFile('index.mjs') },
      { find: /^react-router\/dom$/, replacement: routerFile('dom-export.mjs') },
    ],
  },
  define: {
    COMMON_PASSWORDS: JSON.stringify(commonPasswords.join('\n').toLowerCase()),
    ...(isSsrBuild && { 'process.env.NODE_ENV': '"production"' }),
  },
  // The server loads its own packages. What renders pages goes into the bundle, as its production build, however the server is started.
  ...(isSsrBuild && {
    ssr: { noExternal: true, external: Object.keys({ ...dependencies, ...optionalDependencies }) },
  }),
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        // Pages name the same files as the browser's code does.
        assetsInlineLimit: 0,
        target: 'node24',
        sourcemap: true,
        copyPublicDir: false,
        rollupOptions: {
          input: Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`])),
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        // Everything the browser runs is a file of the shop: no inlined data, so that the strict policy holds.
        assetsInlineLimit: 0,
        // Every `import()` names all files that it needs, its own among them, but for those that every page begins with.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (file, imported) =>
            imported.length > 0 ? imported.filter((name) => !/\/(entry-client|rolldown-runtime|vendor)-/.test(name)) : [file],
        },
        // All styles are one file, which no lazy part has to name.
        cssCodeSplit: false,
        rollupOptions: {
          // What a page's attribute leads to is called by its name.
          preserveEntrySignatures: 'allow-extension',
          input: ['src/web/start.ts', 'src/web/entry-client.tsx', 'src/web/report-error.ts'],
          // Browsers keep the packages from one version of the shop to the next. The rest is split by route.
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
                // Files of their own: pages inline the first, and the second works when the app does not.
                { name: (file) => basename(file, '.ts'), test: /src\/web\/(start|report-error)\.ts/ },
                { name: 'app', test: /src\//, tags: ['$initial'] },
                // Small modules that pages load together: one file is smaller than several. The first is of nearly every page.
                {
                  name: 'common',
                  test: /src\/(contract\/(catalogue\/variant|market\/shop-time|delivery\/delivery-window)|web\/ui\/(alert|toast))\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'price',
                  test: /src\/web\/(parts\/(price-text|product-stars|stock-text|was-price)|ui\/stars)\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'card',
                  test: /src\/web\/(shop\/wishlist\/heart|ui\/(dots|strip))\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'list',
                  test: /src\/(contract\/catalogue\/(filters|list-parameters)|web\/(shop\/filters\/[a-z-]+|shop\/catalogue\/(lazy-parts|load-list|product-grid)|state\/use-latest-search|layout\/help-pages|parts\/several-of))\.tsx?/,
                  minShareCount: 2,
                },
                { name: 'fields', test: /src\/web\/ui\/form\/(early|radio)\.tsx?/ },
                {
                  name: 'choice',
                  test: /src\/web\/(parts\/instalments|ui\/form\/stepper)\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'wishes',
                  test: /src\/(contract\/wishlist\/(merge|wish-key)|web\/(browser\/wishes|parts\/lists-sync|state\/piece-line|shop\/wishlist\/(follow-wishes|heart-button)))\.tsx?/,
                },
                {
                  name: 'arrival',
                  test: /src\/(contract|web\/shop)\/delivery\/(use-delivery|delivery-windows|dispatch-day|methods|load|two-person-delivery|delivery-classes)\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'product',
                  test: /src\/(contract\/(catalogue\/shown-picture|delivery\/lead-time|reviews\/review-parameters)|web\/(parts\/json-ld|shop\/product\/(use-add|use-choice)))\.tsx?/,
                  minShareCount: 2,
                },
                {
                  name: 'buying',
                  test: /src\/web\/shop\/(cart\/(use-(amounts|attempt-key|checked-cart|discount|unanswered)|line-note|parts-of-line|day-choice-if|say-tried)|confirmation\/just-placed|delivery\/free-delivery)/,
                  minShareCount: 2,
                },
                // The checkout needs these without the order's page.
                { name: 'orders', test: /src\/contract\/orders\/orders\.ts/ },
                {
                  name: 'order',
                  test: /src\/(contract\/(orders\/(states|changes|alike)|invoices\/(invoice-text|vat)|returns\/return[a-z-]*|promotions\/rows|market\/worth|delivery\/method-name)|web\/parts\/(order-parts|panel|order\/(how-back|parcels|driver-note|business-buyer)|invoices\/(invoices|with-invoice)))\.tsx?/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
}));
