// The same as `jsx-runtime.ts` for `npm run dev`.
import * as react from 'react/jsx-dev-runtime';
import { toShownProps } from './shown-props.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, toShownProps(props), ...rest);
