// The functions that the compiler calls for every element of the client. They are React's own, except that
// they make direction marks in names visible (docs/decisions/0019-direction-marks-are-shown-by-the-jsx-
// runtime.md).
import * as react from 'react/jsx-runtime';
import { toShownProps } from './shown-props.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, toShownProps(props), key);
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, toShownProps(props), key);
