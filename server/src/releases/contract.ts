import { Type } from 'typebox';
import { ByteCount, Nullable, Timestamp } from '../http/fields.ts';

/** Specification, "Mobile release information"; contract, section 10. */
export const MobileRelease = Type.Object({
  downloadUrl: Type.String({ description: 'on this service' }),
  fileName: Type.String(),
  versionName: Type.String(),
  versionCode: Type.Integer(),
  size: ByteCount,
  sha256: Nullable(Type.String()),
  releasedAt: Timestamp,
});

export const ReleaseParams = Type.Object({ fileName: Type.String() });
