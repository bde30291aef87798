import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Programs of the server bundle: the shop, and the commands beside it. */
const programs = ['main', 'admin', 'backup', 'generate', 'migrate', 'pdfs', 'pictures'].filter((name) => existsSync(`src/${name}.ts`));

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

/**
 * The viewer of 3D models brings a decoder that compiles WebAssembly as soon as it is loaded, which the policy forbids (`script-src`). No model
 * of the shop needs it (decision 56).
 */
const noDecoder: Plugin = {
  name: 'no-decoder',
  enforce: 'pre',
  load: {
    filter: { id: /three\/examples\/jsm\/libs\/meshopt_decoder\.module\.js$/ },
    handler: () => 'export const MeshoptDecoder = { supported: false, ready: Promise.resolve() };',
  },
};

/**
 * The loader of 3D models would fetch each texture from a blob, which the policy forbids (`connect-src`); as in browsers without
 * `createImageBitmap` it then lets an `<img>` read it, which the policy allows.
 */
const texturesAsImages: Plugin = {
  name: 'textures-as-images',
  transform: {
    filter: { id: /three\/examples\/jsm\/loaders\/GLTFLoader\.js$/ },
    handler: (code) => ({ code: code.replace("typeof createImageBitmap === 'undefined'", 'true'), map: null }),
  },
};

/** The router's package names its development build for browsers, with warnings that no visitor reads. */
const ROUTER = 'node_modules/react-router/dist/production';

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [react(), tailwind(), patientImports, noDecoder, texturesAsImages],
  publicDir: 'public',
  ...(command === 'build' &&
    !isSsrBuild && {
      resolve: {
        alias: [
          { find: /^react-router$/, replacement: resolve(ROUTER, 'index.mjs') },
          { find: /^react-router\/dom$/, replacement: resolve(ROUTER, 'dom-export.mjs') },
        ],
      },
    }),
  // What renders pages goes into the bundle, as its production build: how the server is started changes nothing in it.
  ...(isSsrBuild && {
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: {
      noExternal: [/react/, /redux/, /^use-sync-external-store/, 'immer', 'reselect', 'scheduler', 'clsx', 'attr-accept', 'file-selector'],
    },
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
        // Every `import()` names all files that it needs, its own among them.
        modulePreload: { polyfill: false, resolveDependencies: (file, imported) => (imported.length > 0 ? imported : [file]) },
        // All styles are one file, which no lazy part has to name.
        cssCodeSplit: false,
        rollupOptions: {
          // What a page's attribute leads to is called by its name.
          preserveEntrySignatures: 'allow-extension',
          input: ['src/web/start.ts', 'src/web/entry-client.tsx', 'src/web/report-error.ts'],
          // What several screens share is one file, and so are the libraries of every page: a dozen small ones cost a dozen round trips, and
          // compress worse. The libraries' file stays in browsers' caches from one version of the shop to the next.
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules\/(react|scheduler|react-dom|react-router|react-redux|@reduxjs|redux|redux-thunk|immer|reselect|use-sync-external-store)\//,
                },
                {
                  name: 'parts',
                  test: /src.web.(app|browser|layout|parts|state|ui).(?!.*(table|form|order-parts|use-|pagination|lazy-part|panel|downloads|invoices|parts.order))|src.contract.(?!form-checks|attributes|orders.(life|carriers|parcels|pieces)|returns|invoices|second-factor|office)|lucide|jsx-runtime|preload-helper/,
                  minShareCount: 3,
                },
                {
                  // What a product's page and the cart share.
                  name: 'choosing',
                  test: /src.web.(ui.form.(radio|stepper)|shop.delivery)|icons.truck/,
                  minShareCount: 2,
                },
                {
                  // What lists show, which a product's page does without.
                  name: 'lists',
                  test: /src.web.(shop.(catalogue|filters.(filters\.|list-url|first-sign))|state.use-latest|ui.pagination|parts.lazy-part)/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
}));
