import { type Static, Type } from 'typebox';
import { ErrorEnvelope } from '../http/envelope.ts';
import { KeyText } from '../http/fields.ts';
import { THUMBNAIL_SIZES } from './thumbnail-version.ts';

export const ThumbnailQuery = Type.Object({
  size: Type.Unsafe<(typeof THUMBNAIL_SIZES)[number]>({
    type: 'integer',
    enum: [...THUMBNAIL_SIZES],
    description: 'the longest side in pixels; smaller pictures keep their size',
  }),
  v: Type.Optional({
    ...KeyText,
    description: 'the thumbnailVersion of the record; then it may be cached for ever',
  }),
});
export type ThumbnailQuery = Static<typeof ThumbnailQuery>;

/** The `response` schemas of a route that sends a thumbnail. */
export const thumbnailResponses = {
  200: {
    description: 'a WebP',
    content: { 'image/webp': { schema: Type.String({ format: 'binary' }) } },
  },
  304: Type.Null({ description: 'the copy of the client is current' }),
  412: Type.Null({ description: 'a precondition failed' }),
  '4xx': ErrorEnvelope,
  '5xx': ErrorEnvelope,
};
