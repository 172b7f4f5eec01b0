import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';

const AUTOMATIC = Decoration.line({ attributes: { dir: 'auto' } });

/** Shows each line in the direction of its letters. */
export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      lines: decorate(view),
      update({ docChanged, viewportChanged, view: changed }) {
        if (docChanged || viewportChanged) this.lines = decorate(changed);
      },
    }),
    { decorations: ({ lines }) => lines },
  ),
];

/** Marks the lines that are drawn. */
function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
      builder.add(line.from, line.from, AUTOMATIC);
      if (line.to >= to) break;
    }
  }
  return builder.finish();
}
