import { MantineThemeProvider } from '@mantine/core';
import { type ComponentProps, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';

const TYPED = ['TextInput', 'Textarea', 'PasswordInput', 'NumberInput'];
/** They cannot be read-only. */
const CHOSEN = ['Checkbox', 'Switch', 'NativeSelect', 'SegmentedControl', 'Radio'];

interface SavedFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly isSaving: boolean;
  readonly onSubmit: () => void;
}

/**
 * A form whose fields can be read but not changed while it is saved, because what is typed then would be lost when
 * the form is closed or emptied. Afterwards the first field with a fault has the focus, or what had it before.
 */
export function SavedForm({ isSaving, onSubmit, children, ...rest }: SavedFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<Element>(null);
  const [tries, setTries] = useState(0);
  const theme = useMemo(() => ({ components: fieldsWhile(isSaving) }), [isSaving]);
  useEffect(() => {
    if (tries > 0 && !isSaving && form.current !== null) focusAfter(form.current, focused.current);
  }, [tries, isSaving]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    // React passes events of the form in a dialog on to the form that renders the dialog.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    focused.current = document.activeElement;
    setTries((before) => before + 1);
    onSubmit();
  };
  return (
    <form ref={form} aria-busy={isSaving} onSubmit={submit} {...rest}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </form>
  );
}

function focusAfter(form: HTMLFormElement, before: Element | null): void {
  const faulty = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (faulty !== null) faulty.focus();
  // A button that is disabled while the form is saved loses the focus.
  else if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
}

/** The default properties of the fields of a form. Read-only fields keep the focus, and the text as it was sent. */
function fieldsWhile(isSaving: boolean) {
  return {
    ...withDefaults(TYPED, { readOnly: isSaving }),
    ...withDefaults(CHOSEN, { disabled: isSaving }),
  };
}

function withDefaults(names: readonly string[], defaultProps: Readonly<Record<string, boolean>>) {
  return Object.fromEntries(names.map((name) => [name, { defaultProps }]));
}
