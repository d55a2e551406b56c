/** One HTML file per page: `PAGE=workbench vite build` writes dist/workbench.html with its script and style inside. */
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const page = process.env['PAGE'] ?? 'workbench';

export default defineConfig({
  plugins: [preact(), viteSingleFile()],
  worker: { format: 'iife' },
  build: {
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    emptyOutDir: false,
    rollupOptions: { input: `${page}.html` },
  },
});
