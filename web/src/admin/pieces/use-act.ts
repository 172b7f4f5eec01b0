import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KEYS } from '../../api/keys.ts';
import { tellError } from '../../common/tell.ts';

/** Something that an admin does. All lists are asked for again after it: the audits tell of it too. */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void = () => {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result, input) => {
      onDone(result, input);
      void queries.invalidateQueries({ queryKey: KEYS.admin() });
    },
    onError: tellError,
  });
}
