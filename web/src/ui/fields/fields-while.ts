const TYPED = ['TextInput', 'Textarea', 'PasswordInput', 'NumberInput'];
/** They cannot be read-only. */
const CHOSEN = ['Checkbox', 'Switch', 'NativeSelect', 'SegmentedControl', 'Radio'];

/** The default properties of the fields of a form. Read-only fields keep the focus, and the text as it was sent. */
export function fieldsWhile(isSaving: boolean) {
  return {
    ...withDefaults(TYPED, { readOnly: isSaving }),
    ...withDefaults(CHOSEN, { disabled: isSaving }),
  };
}

function withDefaults(names: readonly string[], defaultProps: Readonly<Record<string, boolean>>) {
  return Object.fromEntries(names.map((name) => [name, { defaultProps }]));
}
