import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KEYS } from '../../../api/keys.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';

/**
 * A mutation by an admin. Afterwards all lists are refetched, because it also creates an audit entry.
 *
 * @param onError shows a notification by default
 */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void = () => {},
  onError: (error: unknown) => void = notifyError,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result, input) => {
      onDone(result, input);
      void queries.invalidateQueries({ queryKey: KEYS.admin() });
    },
    onError,
  });
}

/** Like {@link useAct}, but for a form, which shows the error itself. */
export function useFormAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void,
) {
  return useAct(act, onDone, () => {});
}
