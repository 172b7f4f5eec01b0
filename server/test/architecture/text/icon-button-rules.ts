import type { SourceModule } from '../source/source-module.ts';

/** The only module that uses Mantine's component: it adds the tooltip. */
const ICON_BUTTON = 'ui/buttons/icon-button.tsx';

/** Properties for the icon buttons inside Mantine components, up to the end of their value. */
const PROPS = /\b(?:closeButtonProps|visibilityToggleButtonProps|getControlProps)(?:=|: )[\s\S]{0,60}/g;
/** Components that are always an icon, and buttons that contain only an icon. */
const TAGS = [
  /<(?:CloseButton|Burger)\b[\s\S]*?\/>/g,
  /<(?:button|Button)\b(?:(?!<\/?[bB]utton)[\s\S])*?>\s*<(?:Icon\w*|\w*Icon)\b[^<]*\/>\s*<\/[bB]utton>/g,
];

/** Finds icon buttons without a tooltip that says what they do. */
export function findIconButtonFaults(modules: readonly Pick<SourceModule, 'path' | 'text'>[]): string[] {
  return modules
    .filter(({ path }) => !path.endsWith(ICON_BUTTON) && !path.includes('.test.'))
    .flatMap(({ path, text }) => [
      ...(/[<{,]\s*ActionIcon\b/.test(text) ? [`${path}: use IconButton, which has a tooltip.`] : []),
      ...[...text.matchAll(PROPS), ...TAGS.flatMap((tag) => [...text.matchAll(tag)])]
        .filter(([found]) => !/labelled\(|\btitle=|labelled\}/.test(found))
        .map(([found]) => `${path}: an icon button has no tooltip; use labelled(): ${found.slice(0, 80)}`),
    ]);
}
