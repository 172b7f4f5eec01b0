import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readText } from './read-text.ts';
import type { Encoding } from './text-encodings.ts';

interface TextQuery {
  /** The query key of the file. The keys of its text begin with it. */
  readonly fileKey: QueryKey;
  readonly address: string;
  /** In bytes. */
  readonly size: number;
  /** Whether the text may be refetched. */
  readonly enabled?: boolean;
  readonly retry?: false;
}

/** Reads a file as text, in the encoding that the reader has chosen. */
export function useText({ fileKey, address, size, ...options }: TextQuery) {
  const [encoding, setEncoding] = useState<Encoding>();
  const queryKey = [...fileKey, 'text', ...(encoding === undefined ? [] : [encoding])];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readText({ address, size, encoding }, signal),
    // Keeps the encoding control, and its focus, on the page while another encoding loads.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    ...options,
  });
  return { query, queryKey, encoding, setEncoding };
}
