import { showMarks } from '../../../../client/src/common/direction-marks.ts';

/** Attributes that people read or hear. Values, such as those of fields, stay exact. */
const READABLE_ATTRIBUTES = ['title', 'label', 'alt', 'aria-label', 'placeholder', 'description', 'error'];

/** The props of an element, with all direction marks in its texts made visible. */
export function toShownProps<P>(props: P): P {
  // The props of every element are an object.
  const given = props as Readonly<Record<string, unknown>>;
  let shown: Record<string, unknown> | undefined;
  const replace = (name: string, value: unknown) => {
    if (value !== given[name]) shown = { ...(shown ?? given), [name]: value };
  };
  if (given.children !== undefined) replace('children', toShown(given.children));
  for (const name of READABLE_ATTRIBUTES) {
    if (typeof given[name] === 'string') replace(name, showMarks(given[name]));
  }
  // The same props with other texts.
  return shown === undefined ? props : (shown as P);
}

function toShown(child: unknown): unknown {
  if (typeof child === 'string') return showMarks(child);
  if (!Array.isArray(child)) return child;
  const shown = child.map(toShown);
  return shown.some((each, index) => each !== child[index]) ? shown : child;
}
