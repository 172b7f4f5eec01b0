import { MantineThemeProvider } from '@mantine/core';
import { type ComponentProps, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';

const TYPED = ['TextInput', 'Textarea', 'PasswordInput', 'NumberInput'];
/** Fields that cannot be read-only, so they are disabled instead. */
const CHOSEN = ['Checkbox', 'Switch', 'NativeSelect', 'SegmentedControl', 'Radio'];

interface SavedFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly isSaving: boolean;
  readonly onSubmit: () => void;
}

/**
 * A form that cannot be changed while it is being saved. Text typed meanwhile would be lost when the form is
 * closed or emptied. Afterwards, the first field with a fault is focused, or what had the focus before.
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
    // React also passes events of a form in a dialog to the form that renders the dialog.
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
  // A button that is disabled during saving loses the focus.
  else if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
}

/** The default props of form fields. Read-only fields keep the focus and the text that was sent. */
function fieldsWhile(isSaving: boolean) {
  return {
    ...withDefaults(TYPED, { readOnly: isSaving }),
    ...withDefaults(CHOSEN, { disabled: isSaving }),
  };
}

function withDefaults(names: readonly string[], defaultProps: Readonly<Record<string, boolean>>) {
  return Object.fromEntries(names.map((name) => [name, { defaultProps }]));
}
