import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkedEntry, PublicFolderLink } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { type Pages, usePages } from '../../entries/use-pages.ts';
import {
  findEnteredPassword,
  notePasswordChange,
  storeEnteredPassword,
} from '../public/entered-passwords.ts';

/** The sort orders that visitors can choose, each with the service's sort key and direction. */
export const ORDERS = {
  name: ['name', 'asc'],
  newest: ['modifiedAt', 'desc'],
  oldest: ['modifiedAt', 'asc'],
  largest: ['size', 'desc'],
} as const;
export type Order = keyof typeof ORDERS;

/** An entry with a number that identifies it within its list, and its name as in records of the drive. */
export type NumberedEntry = LinkedEntry & { readonly id: number; readonly filename: string };

const keyOf = (token: string) => ['folder-link', token] as const;

/** The public view of a folder link. */
export function useFolderLink(token: string) {
  return useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }) => readFolderLink(token, signal),
  });
}

async function readFolderLink(token: string, signal?: AbortSignal): Promise<PublicFolderLink> {
  const link = await ask('GET /api/v2/folder-links/{token}', { path: { token }, signal });
  if (link.passwordVerified || !(await enterAgain(token))) return link;
  return { ...link, passwordVerified: true };
}

/** Whether the visitor has to enter the password before anything else. @throws HoldallError */
export async function needsPassword(token: string): Promise<boolean> {
  return !(await readFolderLink(token)).passwordVerified;
}

/** Reads the link and its entries again, after the password was entered or files were sent. */
export function useRefreshFolderLink(token: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(token) });
}

/**
 * Reads the link again after an error that may mean that it has ended, so that the page can say so. Lists of
 * its entries are not read again, because they may have caused this check.
 * @returns a function that never throws
 */
export function useEndCheck(token: string): (error: unknown) => Promise<void> {
  const readAgain = useReadAgain(token);
  return async (error) => {
    if (mayMeanEnd(error)) await readAgain();
  };
}

/** Reads the link again, but not its entries. @returns a function that never throws */
export function useReadAgain(token: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(token), exact: true });
}

/** Whether the error may mean that the link has ended or now has a password. */
export function mayMeanEnd(error: unknown): boolean {
  return error instanceof HoldallError && [403, 404, 410].includes(error.status);
}

/** @throws HoldallError 403 if the password is wrong */
export async function enterPassword(token: string, password: string): Promise<void> {
  await ask('POST /api/v2/folder-links/{token}/verify-password', { path: { token }, body: { password } });
  storeEnteredPassword(token, password);
}

/** Enters the password that the visitor entered earlier on this page. Returns false if there is none. */
export async function enterAgain(token: string): Promise<boolean> {
  const password = findEnteredPassword(token);
  if (password === undefined) return false;
  try {
    await enterPassword(token, password);
    return true;
  } catch (error) {
    // The owner has changed the password.
    if (error instanceof HoldallError && error.status === 403) notePasswordChange(token);
    return false;
  }
}

/** The entries of a directory below the link. @param path the path below the link */
export function useLinkedEntries(token: string, path: string, order: Order): Pages<NumberedEntry> {
  const [sort, direction] = ORDERS[order];
  const checkEnd = useEndCheck(token);
  return usePages<NumberedEntry>({
    queryKey: [...keyOf(token), 'entries', path, order],
    fetchPage: async (page, size, signal) => {
      const query = { path, page, size, sort, order: direction };
      const call = { path: { token }, query, signal };
      const askOnce = () => ask('GET /api/v2/folder-links/{token}/entries', call);
      const found = await askOnce().catch(async (error: unknown) => {
        if (error instanceof HoldallError && error.status === 403 && (await enterAgain(token)))
          return await askOnce();
        await checkEnd(error);
        throw error;
      });
      const toNumbered = (item: LinkedEntry, place: number) => {
        return { ...item, id: page * size + place, filename: item.name };
      };
      return { ...found, items: found.items.map(toNumbered) };
    },
  });
}
