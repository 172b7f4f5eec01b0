/** The accessible name of a button with only an icon, and the tooltip that shows it. */
export function labelled(label: string, tooltip = label) {
  return { 'aria-label': label, 'data-tooltip': tooltip } as const;
}
