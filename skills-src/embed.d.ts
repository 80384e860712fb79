/** A file of a package, packed with Brotli and written as base64 by the build (scripts/skill-scripts.mjs). */
declare module "embed:*" {
  const packed: string;
  export default packed;
}

declare module "pdfjs-dist/legacy/build/pdf.worker.mjs" {
  export const WorkerMessageHandler: unknown;
}
