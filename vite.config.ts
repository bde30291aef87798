import { existsSync } from 'node:fs';
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

/**
 * The router without what no page uses: its package leads bundlers to its build with warnings, where names for developers keep unused components
 * (decision 174).
 */
const smallRouter: Plugin = {
  name: 'small-router',
  transform: {
    filter: { id: /\/react-router\// },
    handler: (code) => ({
      code: code
        .replace('ENABLE_DEV_WARNINGS = true', 'ENABLE_DEV_WARNINGS = false')
        .replace(/^\w+\.displayName = .*$/gm, '')
        .replace(/(?<== )(?=React\d*\.forwardRef\()/g, '/* @__PURE__ */ '),
      map: null,
    }),
  },
};

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind(), patientImports, smallRouter, guidePages],
  publicDir: 'public',
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
        // Every `import()` names all files that it needs, its own among them.
        modulePreload: { polyfill: false, resolveDependencies: (file, imported) => (imported.length > 0 ? imported : [file]) },
        // All styles are one file, which no lazy part has to name.
        cssCodeSplit: false,
        rollupOptions: {
          // What a page's attribute leads to is called by its name.
          preserveEntrySignatures: 'allow-extension',
          input: ['src/web/start.ts', 'src/web/entry-client.tsx', 'src/web/report-error.ts'],
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            // The bundler splits by route. No group names a file but the entry: a new file needs no rule here.
            codeSplitting: {
              groups: [
                // Browsers keep the packages of every page from one version of the shop to the next.
                { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
                // With all that it imports: else each file that a route imports too is a chunk.
                { name: 'entry-client', test: /entry-client/ },
                // One chunk of the small files that many pages share is smaller than a chunk of each.
                { name: 'common', minShareCount: 4, maxModuleSize: 500 },
              ],
            },
          },
        },
      },
}));
