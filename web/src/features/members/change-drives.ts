import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { KEYS } from '../../api/keys.ts';
import { notifyError } from '../../ui/notifications/notify.ts';

/** Refetches the drives of the user, the deleted ones and all members. */
export async function renewDrives(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: KEYS.drives() });
}

interface ChangeOptions<Input, Output> {
  readonly change: (input: Input) => Promise<Output>;
  /** Called once the drives are refetched. */
  readonly onDone?: (output: Output, input: Input) => void;
  /** Whether an error is shown where the change was made, instead of in a notification. */
  readonly showsError?: boolean;
}

/** A change of a drive or its members. */
export function useDriveChange<Input = void, Output = unknown>(options: ChangeOptions<Input, Output>) {
  const { change, onDone, showsError = false } = options;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output, input) => {
      await renewDrives(queryClient);
      onDone?.(output, input);
    },
    onError: async (error) => {
      if (!showsError) notifyError(error);
      // The page may have shown an old state.
      await renewDrives(queryClient);
    },
  });
}
