import { Type } from 'typebox';
import { downloadResponses } from '../http/download/download-responses.ts';
import { EXAMPLE } from '../http/examples.ts';
import { ByteCount, KeyText, Nullable, Timestamp } from '../http/fields.ts';
import { operation } from '../http/operation.ts';

/** The description of a release, which the app reads to find updates. */
export const MobileRelease = Type.Object({
  downloadUrl: Type.String({ description: 'a URL of this service' }),
  fileName: Type.String(),
  versionName: Type.String(),
  versionCode: Type.Integer(),
  size: ByteCount,
  sha256: Nullable(Type.String()),
  releasedAt: Timestamp,
});

export const getNewestRelease = operation('GET /api/app/android/latest', {
  does: 'Describes the newest release of the Android app.',
  access: 'public',
  appPassword: 'read',
  data: MobileRelease,
  example: {},
});

export const downloadNewestRelease = operation('GET /api/app/android/download', {
  does: 'Downloads the newest release of the Android app.',
  access: 'public',
  appPassword: 'read',
  responses: downloadResponses,
  example: {},
});

export const downloadRelease = operation('GET /api/app/android/download/{fileName}', {
  does: 'Downloads a release of the Android app.',
  access: 'public',
  appPassword: 'read',
  path: Type.Object({ fileName: KeyText }),
  responses: downloadResponses,
  example: { path: { fileName: EXAMPLE.release } },
});
