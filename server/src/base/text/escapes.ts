const CONTROLS = /\p{Cc}|\p{Bidi_Control}/gu;
const CONTROLS_IN_LINES = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu;

/**
 * Escapes characters that could control the terminal or reorder a line. The escapes are those of JSON, so a
 * line of JSON keeps its meaning. JSON itself does not escape control characters above 0x7e.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, escapeUnit);
}

/** The same for text of several lines: line breaks and tabs stay. */
export function escapeControlsInLines(text: string): string {
  return text.replaceAll(CONTROLS_IN_LINES, escapeUnit);
}

/** A UTF-16 unit as JSON can write it in ASCII. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the content or a quoted attribute of an HTML element. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
