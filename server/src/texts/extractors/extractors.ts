import type { FormatName } from '../formats.ts';
import type { TextCollector } from '../text-collector.ts';

/** @throws NoText, TextLimitReached, and any error of a library for a damaged file */
type Extract = (bytes: Buffer, out: TextCollector, isTimeUp: () => boolean) => Promise<void>;

/** How text is taken from each format. The code is loaded with the first file that needs it. */
export const EXTRACTORS: Readonly<Record<FormatName, () => Promise<Extract>>> = {
  pdf: async () => (await import('./pdf.ts')).extractPdf,
  archive: async () => (await import('./archive.ts')).extractArchive,
  compound: async () => (await import('./compound.ts')).extractCompound,
  email: async () => (await import('./email.ts')).extractEmail,
  html: async () => {
    const { collectHtml } = await import('../html.ts');
    return (bytes, out) => collectHtml(bytes, out);
  },
  text: async () => (await import('./plain-text.ts')).extractPlainText,
};
