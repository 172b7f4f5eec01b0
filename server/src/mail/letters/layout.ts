import { escapeHtml } from '../../base/text/escapes.ts';
import { toPlainLine } from '../../base/text/plain-line.ts';
import type { LetterLanguage, WrittenLetter } from './letter.ts';

/** What a letter says. None of it is HTML. */
export interface LetterContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A link that is shown as a button. */
  readonly action?: { readonly label: string; readonly url: string } | undefined;
  /** Smaller text after the button. */
  readonly notes?: readonly string[];
}

/** The place where the instance can be reached. */
export interface Site {
  /** The public URL, without a slash at its end. */
  readonly url: string;
  /** The name that its administrator gave to it. */
  readonly name: string;
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif";
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background-color:#1d4ed8;color:#ffffff;' +
  'font-weight:600;text-decoration:none';

/** A link at the end of letters that the recipient can turn off. */
export interface SettingsNote {
  readonly label: string;
  readonly url: string;
}

/** What a letter is laid out for. */
interface Layout {
  readonly language: LetterLanguage;
  readonly site: Site;
  readonly note: SettingsNote | undefined;
}

/** Lays the content out as text and as HTML. */
export function layOut(content: LetterContent, layout: Layout): WrittenLetter {
  const { subject, paragraphs, action, notes = [] } = content;
  // Names in the texts come from people, so they may contain line breaks.
  const plain = {
    ...{ subject: toPlainLine(subject), action },
    paragraphs: paragraphs.map(toPlainLine),
    notes: notes.map(toPlainLine),
  };
  return {
    subject: plain.subject,
    text: toText(plain, layout),
    html: toHtml(plain, layout),
    settingsUrl: layout.note?.url,
  };
}

function toText({ paragraphs, action, notes = [] }: LetterContent, { site, note }: Layout): string {
  const blocks = [
    ...paragraphs,
    ...(action === undefined ? [] : [action.url]),
    ...notes,
    ...(note === undefined ? [] : [`${note.label}: ${note.url}`]),
  ];
  return `${[...blocks, `-- \n${site.name}\n${site.url}`].join('\n\n')}\n`;
}

/**
 * Styles are inlined because many mail programs drop style sheets. Text has no colour of its own, so that it
 * can be read in light and in dark mode.
 */
function toHtml(
  { subject, paragraphs, action, notes = [] }: LetterContent,
  { language, site, note }: Layout,
): string {
  const paragraph = (text: string, style: string) =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
  const link = (label: string, url: string) =>
    `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a>`;
  const button =
    action === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="${BUTTON}">` +
            `${escapeHtml(action.label)}</a></p>`,
        ];
  return [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    '</head>',
    `<body style="margin:0;padding:24px;${FONT};font-size:16px;line-height:1.5">`,
    '<div style="max-width:560px;margin:0 auto">',
    ...paragraphs.map((text) => paragraph(text, '')),
    ...button,
    ...notes.map((text) => paragraph(text, 'font-size:14px;opacity:0.8')),
    `<p style="margin:32px 0 0;font-size:14px;opacity:0.8">${escapeHtml(site.name)} · ${link(hostOf(site), site.url)}` +
      `${note === undefined ? '' : ` · ${link(note.label, note.url)}`}</p>`,
    '</div>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** The host name, with the port if it is not the usual one. */
export function hostOf(site: Site): string {
  return new URL(site.url).host;
}
