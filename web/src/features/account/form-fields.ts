import type { ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type Fault, refusedField } from './account-faults.ts';

interface Form<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly setValues: (change: (before: Record<Field, string>) => Record<Field, string>) => void;
  readonly faults: Readonly<Partial<Record<Field, Fault>>>;
  /** Whether the fault of a field should be shown yet. */
  readonly isFaultShown: (name: Field) => boolean;
  /** The mutation that sends the form. */
  readonly request: { readonly error: unknown; readonly reset: () => void };
  /** Returns the text that explains why the service rejected a value. */
  readonly textOfError: (error: unknown) => string;
}

/** The props of a form's inputs. Each input shows its fault, or why the service rejected its value. */
export function useFormFields<Field extends string>(form: Form<Field>) {
  const { t } = useTranslation();
  const { values, setValues, faults, isFaultShown, request, textOfError } = form;
  // The keys of the values are the names of the fields.
  const refused = refusedField(request.error, Object.keys(values) as Field[]);
  const field = (name: Field) => {
    const fault: Fault | undefined = faults[name];
    return {
      value: values[name],
      error:
        refused === name
          ? textOfError(request.error)
          : isFaultShown(name) && fault !== undefined && t(`auth.${fault}`),
      errorProps: refused === name ? { role: 'alert' } : {},
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        setValues((before) => ({ ...before, [name]: value }));
        // The rejection does not apply to the new value.
        if (refused === name) request.reset();
      },
    };
  };
  return { field, /** The field whose value the service rejected. */ refused };
}
