import { Type } from 'typebox';
import { ByteCount, KeyText, Nullable, Timestamp } from '../http/fields.ts';

/** The description of a release that the app reads to find updates. */
export const MobileRelease = Type.Object({
  downloadUrl: Type.String({ description: 'a URL of this service' }),
  fileName: Type.String(),
  versionName: Type.String(),
  versionCode: Type.Integer(),
  size: ByteCount,
  sha256: Nullable(Type.String()),
  releasedAt: Timestamp,
});

export const ReleaseParams = Type.Object({ fileName: KeyText });
