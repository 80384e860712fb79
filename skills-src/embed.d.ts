/** A file of a package, packed with Brotli and written as text by the build (scripts/skill-scripts.mjs; see common/unpack-bytes.ts). */
declare module "embed:*" {
  const packed: string;
  export default packed;
}

declare module "pdfjs-dist/legacy/build/pdf.worker.mjs" {
  export const WorkerMessageHandler: unknown;
}
