import { existsSync } from 'node:fs';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Programs of the server bundle: the shop, and the commands beside it. */
const programs = ['main', 'admin', 'backup', 'generate', 'migrate', 'pictures'].filter((name) => existsSync(`src/${name}.ts`));

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwind()],
  publicDir: 'public',
  // What renders pages goes into the bundle, as its production build: how the server is started changes nothing in it.
  ...(isSsrBuild && {
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: [/react/, /redux/, /^embla-carousel/, /^use-sync-external-store/, 'immer', 'reselect', 'scheduler'] },
  }),
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        target: 'node20',
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
        modulePreload: { polyfill: false },
        rollupOptions: {
          input: ['src/web/start.ts', 'src/web/entry-client.tsx'],
          // What several screens share is one file, and so are the libraries of every page: a dozen small ones cost a dozen round trips, and
          // compress worse. The libraries' file stays in browsers' caches from one version of the shop to the next.
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules\/(react|scheduler|react-dom|react-router|react-redux|@reduxjs|redux|redux-thunk|immer|reselect|use-sync-external-store)\//,
                },
                {
                  name: 'parts',
                  test: /src.web.(app|browser|layout|parts|state|ui|shop.catalogue).(?!.*(table|form|order-parts|use-))|src.contract.(?!form-checks)|lucide|jsx-runtime/,
                  minShareCount: 3,
                },
              ],
            },
          },
        },
      },
}));
