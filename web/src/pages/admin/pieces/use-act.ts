import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KEYS } from '../../../api/keys.ts';
import { tellError } from '../../../ui/tell.ts';

/**
 * Something that an admin does. All lists are asked for again after it: the audits tell of it too.
 *
 * @param onError tells in the corner of the page, unless somebody has a better place for it
 */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void = () => {},
  onError: (error: unknown) => void = tellError,
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

/** The same from a form, which shows what went wrong where one can put it right. */
export function useFormAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void,
) {
  return useAct(act, onDone, () => {});
}
